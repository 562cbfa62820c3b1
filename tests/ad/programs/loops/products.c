// Matrix products in three orders, with a transposed operand, and a convolution; rectangular, and larger than a strip.
#include "check.h"

void __enzyme_autodiff(void *, ...);

static double product(const double *a, const double *b, double *c, int n, int m, int p)
{
    double loss = 0.0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double sum = 0.0;
            for (int k = 0; k < p; k++)
                sum += a[i * p + k] * b[k * m + j];
            c[i * m + j] = sum;
        }
    for (int i = 0; i < n * m; i++)
        loss += c[i] * c[i];
    return loss;
}

static double transposed(const double *a, const double *b, double *c, int n, int m, int p)
{
    double loss = 0.0;
    for (int i = 0; i < n * m; i++)
        c[i] = 0.0;
    for (int k = 0; k < p; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                c[i * m + j] += a[k * n + i] * b[j * p + k];
    for (int i = 0; i < n * m; i++)
        loss += c[i] * c[i] * c[i];
    return loss;
}

static double convolved(const double *image, const double *kernel, double *out, int n, int m, int p)
{
    double loss = 0.0;
    for (int y = 0; y + p <= n; y++)
        for (int x = 0; x + 3 <= m; x++) {
            double sum = 0.1;
            for (int v = 0; v < p; v++)
                for (int u = 0; u < 3; u++)
                    sum += image[(y + v) * m + x + u] * kernel[v * 3 + u];
            out[y * m + x] = sum > 0.0 ? sum : 0.1 * sum;
        }
    for (int i = 0; i < n * m; i++)
        loss += out[i] * out[i];
    return loss;
}

typedef double function(const double *, const double *, double *, int, int, int);

static double a[20 * 300], a_bar[20 * 300], b[20 * 300], b_bar[20 * 300], c[20 * 300], c_bar[20 * 300];
static int n, m, p;
static function *current;
static double value(void)
{
    memset(c, 0, sizeof c);
    return current(a, b, c, n, m, p);
}

static void clear(void)
{
    memset(a_bar, 0, sizeof a_bar);
    memset(b_bar, 0, sizeof b_bar);
    memset(c_bar, 0, sizeof c_bar);
    memset(c, 0, sizeof c);
}

int main(void)
{
    int failures = 0;
    const int shapes[][3] = {{0, 0, 0}, {1, 1, 1}, {3, 9, 2}, {2, 300, 4}, {12, 8, 16}, {17, 17, 17}, {5, 257, 3}};
    for (unsigned k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        n = shapes[k][0], m = shapes[k][1], p = shapes[k][2];
        check_fill(a, 20 * 300, -1, 1);
        check_fill(b, 20 * 300, -1, 1);
        clear();
        __enzyme_autodiff((void *)product, enzyme_dup, a, a_bar, enzyme_dup, b, b_bar, enzyme_dup, c, c_bar, enzyme_const, n, enzyme_const, m, enzyme_const, p);
        current = product;
        failures += check_gradient("product, a", value, a, a_bar, n * p) + check_gradient("product, b", value, b, b_bar, p * m);
        clear();
        __enzyme_autodiff((void *)transposed, enzyme_dup, a, a_bar, enzyme_dup, b, b_bar, enzyme_dup, c, c_bar, enzyme_const, n, enzyme_const, m, enzyme_const, p);
        current = transposed;
        failures += check_gradient("transposed, a", value, a, a_bar, n * p) + check_gradient("transposed, b", value, b, b_bar, p * m);
        clear();
        __enzyme_autodiff((void *)convolved, enzyme_dup, a, a_bar, enzyme_dup, b, b_bar, enzyme_dup, c, c_bar, enzyme_const, n, enzyme_const, m, enzyme_const, p);
        current = convolved;
        failures += check_gradient("convolution, image", value, a, a_bar, n * m) + check_gradient("convolution, kernel", value, b, b_bar, 3 * p);
    }
    return failures != 0;
}
