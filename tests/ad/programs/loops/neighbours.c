// Adjoints of neighbours: filters with many taps, written out and as loops, over rows that are shorter than the filter, and longer than a strip; tables of neighbours; limiters.
#include "check.h"
#include <math.h>
#include <stdlib.h>

void __enzyme_autodiff(void *, ...);

/* Eighth order, no tap in the middle. */
static double high_order(const double *u, double *d, int n)
{
    double sum = 0.0;
    for (int i = 4; i < n - 4; i++)
        d[i] = 0.8 * (u[i + 1] - u[i - 1]) - 0.2 * (u[i + 2] - u[i - 2]) + 0.04 * (u[i + 3] - u[i - 3]) - 0.004 * (u[i + 4] - u[i - 4]);
    for (int i = 4; i < n - 4; i++)
        sum += d[i] * d[i] * u[i];
    return sum;
}

static double filtered(const double *image, const double *kernel, double *out, int rows, int columns)
{
    double sum = 0.0;
    for (int y = 0; y + 5 <= rows; y++)
        for (int x = 0; x + 5 <= columns; x++) {
            double s = 0.1;
            for (int v = 0; v < 5; v++)
                for (int u = 0; u < 5; u++)
                    s += image[(y + v) * columns + x + u] * kernel[v * 5 + u];
            out[y * columns + x] = s > 0.0 ? s : 0.01 * s;
        }
    for (int y = 0; y + 5 <= rows; y++)
        for (int x = 0; x + 5 <= columns; x++)
            sum += out[y * columns + x] * out[y * columns + x];
    return sum;
}

/* Weights by distance, all neighbours but the cell itself. */
static double smoothed(const double *x, const double *w, double *a, double *b, int n, int steps)
{
    double sum = 0.0;
    for (int i = 0; i < n * n; i++)
        a[i] = b[i] = x[i];
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++) {
                double s = 0.0;
                for (int di = -1; di <= 1; di++)
                    for (int dj = -1; dj <= 1; dj++)
                        if (di || dj)
                            s += w[abs(di) + abs(dj)] * a[(i + di) * n + j + dj];
                b[i * n + j] = s / (1.0 + a[i * n + j] * a[i * n + j]);
            }
        double *c = a;
        a = b;
        b = c;
    }
    for (int i = 0; i < n * n; i++)
        sum += a[i] * a[i];
    return sum;
}

/* Neighbours from tables; several cells may have the same. */
static double diffused(const double *x, double *u, double *g, const int *west, const int *east, int n, int steps)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        u[i] = x[i];
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++) {
            double c = u[i], l = u[west[i]] - c, r = u[east[i]] - c;
            double q = (l * l + r * r) / (c * c), p = (l + r) / c, d = 1.0 + 0.25 * p;
            double v = (0.5 * q - p * p / 16.0) / (d * d);
            g[i] = 1.0 / (1.0 + (v - 0.3) / (0.3 * 1.3));
            if (g[i] < 0.0)
                g[i] = 0.0;
            else if (g[i] > 1.0)
                g[i] = 1.0;
        }
        for (int i = 0; i < n; i++)
            u[i] += 0.1 * (g[i] * (u[i] - 1.0) + 0.5 * g[east[i]]);
    }
    for (int i = 0; i < n; i++)
        sum += u[i] * u[i];
    return sum;
}

static double minmod(double a, double b)
{
    return a * b <= 0.0 ? 0.0 : fabs(a) < fabs(b) ? a : b;
}

static double limited(const double *x, double *u, double *flux, int n, int steps)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        u[i] = x[i];
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++) {
            int l = i > 0 ? i - 1 : n - 1, r = i < n - 1 ? i + 1 : 0;
            flux[i + 1] = u[i] + 0.3 * minmod(u[i] - u[l], u[r] - u[i]);
        }
        flux[0] = flux[n];
        for (int i = 0; i < n; i++)
            u[i] -= 0.4 * (flux[i + 1] - flux[i]);
    }
    for (int i = 0; i < n; i++)
        sum += u[i] * u[i] * u[i];
    return sum;
}

enum { MOST = 12000 };
static double x[MOST], x_bar[MOST], y[MOST], y_bar[MOST], z[MOST], z_bar[MOST], w[25], w_bar[25];
static int west[MOST], east[MOST], n, m;

static double high_order_value(void) { return high_order(x, y, n); }
static double filtered_value(void) { return filtered(x, w, y, n, m); }
static double smoothed_value(void) { return smoothed(x, w, y, z, n, 3); }
static double diffused_value(void) { return diffused(x, y, z, west, east, n, 2); }
static double limited_value(void) { return limited(x, y, z, n, 2); }

static void start(int count, double low, double high)
{
    check_fill(x, count, low, high);
    memset(x_bar, 0, sizeof x_bar);
    memset(y_bar, 0, sizeof y_bar);
    memset(z_bar, 0, sizeof z_bar);
    memset(w_bar, 0, sizeof w_bar);
}

int main(void)
{
    int failures = 0;
    const int sizes[] = {0, 8, 9, 10, 11, 12, 16, 23, 64, 263, 264, 265, 266, 700};
    check_fill(w, 25, -0.3, 0.5);
    for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        n = sizes[k];
        start(n, -1, 1);
        __enzyme_autodiff((void *)high_order, enzyme_dup, x, x_bar, enzyme_dup, y, y_bar, enzyme_const, n);
        failures += check_gradient("high order", high_order_value, x, x_bar, n);
        for (int i = 0; i < n; i++) {
            west[i] = i % 7 == 3 ? n - 1 - i : i > 0 ? i - 1 : 0;
            east[i] = i % 5 == 1 ? n / 2 : i < n - 1 ? i + 1 : n - 1;
        }
        start(n, 1, 1.4);
        __enzyme_autodiff((void *)diffused, enzyme_dup, x, x_bar, enzyme_dup, y, y_bar, enzyme_dup, z, z_bar, enzyme_const, west, enzyme_const, east, enzyme_const, n,
                          enzyme_const, 2);
        failures += check_gradient("diffused", diffused_value, x, x_bar, n);
    }
    const int shapes[][2] = {{4, 9}, {5, 5}, {5, 6}, {6, 7}, {7, 9}, {12, 30}, {6, 260}, {6, 261}, {5, 265}, {8, 540}};
    for (unsigned k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        n = shapes[k][0];
        m = shapes[k][1];
        start(n * m, 0, 1);
        __enzyme_autodiff((void *)filtered, enzyme_dup, x, x_bar, enzyme_dup, w, w_bar, enzyme_dup, y, y_bar, enzyme_const, n, enzyme_const, m);
        failures += check_gradient("filtered", filtered_value, x, x_bar, n * m);
        failures += check_gradient("filtered by weights", filtered_value, w, w_bar, 25);
    }
    for (n = 1; n < 40; n += n < 6 ? 1 : 11) {
        start(n * n, 0, 1);
        __enzyme_autodiff((void *)smoothed, enzyme_dup, x, x_bar, enzyme_dup, w, w_bar, enzyme_dup, y, y_bar, enzyme_dup, z, z_bar, enzyme_const, n, enzyme_const, 3);
        failures += check_gradient("smoothed", smoothed_value, x, x_bar, n * n);
        failures += check_gradient("smoothed by weights", smoothed_value, w, w_bar, 3);
    }
    for (n = 3; n < 40; n += 9) {
        start(n, 0, 1);
        __enzyme_autodiff((void *)limited, enzyme_dup, x, x_bar, enzyme_dup, y, y_bar, enzyme_dup, z, z_bar, enzyme_const, n, enzyme_const, 2);
        failures += check_gradient("limited", limited_value, x, x_bar, n);
    }
    return failures != 0;
}
