/* Matrices as arrays of row pointers: whether rows of one overlap rows of another only the run can tell. */
#include "check.h"

enum { N = 6, BLOCK = 4 * N * N };
void __enzyme_autodiff(void *, ...);

static double product(double **a, double **b, double **c, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double s = 0.0;
            for (int k = 0; k < n; k++)
                s += a[i][k] * b[k][j];
            c[i][j] = s / (1 + s * s);
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            sum += c[i][j] * c[i][n - 1 - j];
    return sum;
}

/* Loops that do not always run, one row by its number, and a condition. */
static double triangle(double **a, double **b, double **c, int n)
{
    double sum = 0.0;
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i < n; i++)
            for (int j = k; j < n; j++)
                c[i][j] = c[i][j] * 0.5 + a[k][j] * b[i][k];
    for (int j = 0; j < n; j++)
        if (j % 2)
            c[0][j] = b[0][j] * a[n - 1][j];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            sum += c[i][j] * c[i][j] * b[j][i];
    return sum;
}

/* Rows change their places. */
static double pivoted(double **a, double **b, double **c, int n)
{
    double sum = 0.0;
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k; i < n; i++)
            if (fabs(a[i][k]) > fabs(a[best][k]))
                best = i;
        double *t = a[k];
        a[k] = a[best];
        a[best] = t;
        for (int i = k + 1; i < n; i++) {
            double factor = a[i][k] / (2 + a[k][k]);
            for (int j = k; j < n; j++)
                a[i][j] -= factor * a[k][j] * b[k][j];
        }
    }
    for (int i = 0; i < n; i++) {
        c[i][i] = a[i][i] * a[i][0];
        sum += c[i][i] * c[i][i];
    }
    return sum;
}

typedef double function(double **, double **, double **, int);

static double x[BLOCK], block[BLOCK], block_bar[BLOCK];
static double *rows[6][N + 1];
static int n, starts[3], distance;
static function *chosen;

/* Three matrices in one block; their rows start where a case says. */
static void arrange(void)
{
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < n; i++) {
            rows[k][i] = block + starts[k] + i * distance;
            rows[3 + k][i] = block_bar + starts[k] + i * distance;
        }
}

static double value(void)
{
    memcpy(block, x, sizeof block);
    arrange();
    return chosen(rows[0], rows[1], rows[2], n);
}

int main(void)
{
    /* Apart, interleaved, one inside of another, and overlapping by some elements. */
    static const int cases[][4] = {{0, N * N, 2 * N * N, N}, {0, N, 2 * N, 3 * N}, {0, N * N, 0, N}, {0, N * N, N, N}, {0, N * N, 2 * N * N, 2}, {3, 1, 2, N}};
    int failures = 0;
    for (n = 0; n <= N; n += n ? 5 : 1)
        for (int k = 0; k < 6; k++)
            for (int which = 0; which < 3; which++) {
                memcpy(starts, cases[k], sizeof starts);
                distance = cases[k][3];
                check_fill(x, BLOCK, 0.1, 0.6);
                for (int i = 0; i < BLOCK; i += 7)
                    x[i] += 1.0;
                memcpy(block, x, sizeof block);
                memset(block_bar, 0, sizeof block_bar);
                arrange();
                if (which == 0) {
                    chosen = product;
                    __enzyme_autodiff((void *)product, enzyme_dup, rows[0], rows[3], enzyme_dup, rows[1], rows[4], enzyme_dup, rows[2], rows[5], enzyme_const, n);
                } else if (which == 1) {
                    chosen = triangle;
                    __enzyme_autodiff((void *)triangle, enzyme_dup, rows[0], rows[3], enzyme_dup, rows[1], rows[4], enzyme_dup, rows[2], rows[5], enzyme_const, n);
                } else {
                    chosen = pivoted;
                    __enzyme_autodiff((void *)pivoted, enzyme_dup, rows[0], rows[3], enzyme_dup, rows[1], rows[4], enzyme_dup, rows[2], rows[5], enzyme_const, n);
                }
                char name[64];
                snprintf(name, sizeof name, "function %d, case %d, size %d", which, k, n);
                failures += check_gradient(name, value, x, block_bar, BLOCK);
            }
    return failures != 0;
}
