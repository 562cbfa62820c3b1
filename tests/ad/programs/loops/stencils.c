// Stencils in one, two and three dimensions, with constant and variable sizes, at sizes around those of vectors and strips.
#include "check.h"

void __enzyme_autodiff(void *, ...);

static double line(const double *x, double *y, double c, int n, int steps)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        y[i] = x[i];
    for (int t = 0; t < steps; t++) {
        double z[700];
        for (int i = 0; i < n; i++)
            z[i] = y[i];
        for (int i = 2; i < n - 2; i++)
            y[i] = z[i] + c * (z[i - 2] - 4 * z[i - 1] + 6 * z[i] - 4 * z[i + 1] + z[i + 2]) * (1 + 0.1 * z[i] * z[i]);
    }
    for (int i = 0; i < n; i++)
        sum += y[i] * y[i] * y[i];
    return sum;
}

static double plane(const double *x, const double *speed, int n, int m, int steps)
{
    double *now = malloc((size_t)(n * m) * sizeof *now), *next = malloc((size_t)(n * m) * sizeof *next), sum = 0.0;
    for (int i = 0; i < n * m; i++)
        now[i] = next[i] = x[i];
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                double around = now[(i - 1) * m + j] + now[(i + 1) * m + j] + now[i * m + j - 1] + now[i * m + j + 1];
                double corners = now[(i - 1) * m + j - 1] + now[(i + 1) * m + j + 1];
                next[i * m + j] = now[i * m + j] + speed[i * m + j] * now[i * m + j] * (around - 0.5 * corners);
            }
        double *other = now;
        now = next;
        next = other;
    }
    for (int i = 0; i < n * m; i++)
        sum += now[i] * now[i];
    free(now);
    free(next);
    return sum;
}

enum { K = 12 };

static double space(double x[K][K][K], double y[K][K][K], const double *w)
{
    double sum = 0.0;
    for (int i = 1; i < K - 1; i++)
        for (int j = 1; j < K - 1; j++)
            for (int k = 1; k < K - 1; k++)
                y[i][j][k] = w[0] * x[i][j][k] * x[i][j][k] + w[1] * (x[i - 1][j][k] + x[i + 1][j][k]) + w[2] * (x[i][j - 1][k] * x[i][j + 1][k])
                    + w[3] * (x[i][j][k - 1] - x[i][j][k + 1]);
    for (int i = 0; i < K; i++)
        for (int j = 0; j < K; j++)
            for (int k = 0; k < K; k++)
                sum += y[i][j][k] * y[i][j][k];
    return sum;
}

static double x[40 * 700], x_bar[40 * 700], y[40 * 700], y_bar[40 * 700], s[40 * 700], s_bar[40 * 700];
static double cube[K][K][K], cube_bar[K][K][K], out[K][K][K], out_bar[K][K][K];
static int n, m;

static double line_value(void) { return line(x, y, 0.03, n, 3); }
static double plane_value(void) { return plane(x, s, n, m, 3); }
static double space_value(void) { return space(cube, out, s); }

int main(void)
{
    int failures = 0;
    const int sizes[] = {0, 1, 3, 4, 5, 6, 9, 13, 64, 259, 260, 261, 600};
    for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        n = sizes[k];
        check_fill(x, n, -1, 1);
        memset(x_bar, 0, sizeof x_bar);
        memset(y_bar, 0, sizeof y_bar);
        __enzyme_autodiff((void *)line, enzyme_dup, x, x_bar, enzyme_dup, y, y_bar, enzyme_const, 0.03, enzyme_const, n, enzyme_const, 3);
        failures += check_gradient("line", line_value, x, x_bar, n);
    }
    const int shapes[][2] = {{1, 1}, {3, 3}, {3, 12}, {12, 3}, {7, 30}, {5, 263}, {30, 17}};
    for (unsigned k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        n = shapes[k][0];
        m = shapes[k][1];
        check_fill(x, n * m, -1, 1);
        check_fill(s, n * m, 0, 0.2);
        memset(x_bar, 0, sizeof x_bar);
        memset(s_bar, 0, sizeof s_bar);
        __enzyme_autodiff((void *)plane, enzyme_dup, x, x_bar, enzyme_dup, s, s_bar, enzyme_const, n, enzyme_const, m, enzyme_const, 3);
        failures += check_gradient("plane", plane_value, x, x_bar, n * m);
        failures += check_gradient("plane by speed", plane_value, s, s_bar, n * m);
    }
    check_fill(&cube[0][0][0], K * K * K, -1, 1);
    memset(s_bar, 0, sizeof s_bar);
    __enzyme_autodiff((void *)space, enzyme_dup, cube, cube_bar, enzyme_dup, out, out_bar, enzyme_dup, s, s_bar);
    failures += check_gradient("space", space_value, &cube[0][0][0], &cube_bar[0][0][0], K * K * K);
    failures += check_gradient("space by weights", space_value, s, s_bar, 4);
    return failures != 0;
}
