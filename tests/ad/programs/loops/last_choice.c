// Running minima and maxima: the reverse of such a loop is done when the last choice of the primal is met. Choices that are never made, made by every iteration, two in one loop, with ties, and
// with other sums beside them.
#include "check.h"

void __enzyme_autodiff(void *, ...);

enum { D = 6 };

static double nearest_costs(const double *points, const double *centres, int n, int k)
{
    double total = 0.0;
    for (int i = 0; i < n; i++) {
        double nearest = INFINITY;
        for (int j = 0; j < k; j++) {
            double distance = 0.0;
            for (int c = 0; c < D; c++) {
                double delta = points[i * D + c] - centres[j * D + c];
                distance += delta * delta;
            }
            if (distance < nearest)
                nearest = distance;
        }
        total += k > 0 ? nearest : points[i];
    }
    return total;
}

/* The start may win, and is then what has the derivative. */
static double largest(const double *x, const double *y, int n)
{
    double most = y[0] * y[1] * 9.0;
    for (int i = 0; i < n; i++) {
        double a = x[i] * y[1], b = a * sin(x[i] * y[2]) + exp(y[3] * x[i]) / (2.0 + x[i] * x[i]);
        double v = b * a + y[4] * b * b + y[5] * a;
        if (v >= most)
            most = v;
    }
    return most * most;
}

/* Both ends of a range, and a sum that all iterations add to. */
static double range(const double *x, const double *y, int n)
{
    double low = 1e30, high = -1e30, sum = 0.0;
    for (int i = 0; i < n; i++) {
        double a = x[i] * y[0], v = a * a * y[1] + a * y[2] + sin(a) * y[3] + exp(-a * a) * y[4];
        low = v < low ? v : low;
        high = v > high ? v : high;
        sum += 0.01 * v * a;
    }
    return (high - low) * (high - low) + sum;
}

/* What was chosen is used inside of the loop as well. */
static double relative(const double *x, const double *y, int n)
{
    double best = y[0], sum = 0.0;
    for (int i = 0; i < n; i++) {
        double a = x[i] - y[1], v = a * a * y[2] + a * y[3] + y[4] * a * a * a;
        if (v < best)
            best = v;
        sum += x[i] * best;
    }
    return sum + best;
}

static double x[600], x_bar[600], y[100], y_bar[100];
static int n, k;
static double nearest_value(void) { return nearest_costs(x, y, n, k); }
static double largest_value(void) { return largest(x, y, n); }
static double range_value(void) { return range(x, y, n); }
static double relative_value(void) { return relative(x, y, n); }

static int check(const char *name, double (*f)(void))
{
    int failures = check_gradient(name, f, x, x_bar, 600) + check_gradient(name, f, y, y_bar, 100);
    memset(x_bar, 0, sizeof x_bar);
    memset(y_bar, 0, sizeof y_bar);
    return failures;
}

int main(void)
{
    int failures = 0;
    const int sizes[] = {0, 1, 2, 5, 16, 70};
    check_fill(x, 600, -1, 1);
    check_fill(y, 100, -1, 1);
    for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        n = sizes[s];
        for (k = 0; k <= 16; k += 4) {
            __enzyme_autodiff((void *)nearest_costs, enzyme_dup, x, x_bar, enzyme_dup, y, y_bar, enzyme_const, n, enzyme_const, k);
            failures += check("nearest", nearest_value);
        }
        __enzyme_autodiff((void *)largest, enzyme_dup, x, x_bar, enzyme_dup, y, y_bar, enzyme_const, n);
        failures += check("largest", largest_value);
        if (n > 0) {
            __enzyme_autodiff((void *)range, enzyme_dup, x, x_bar, enzyme_dup, y, y_bar, enzyme_const, n);
            failures += check("range", range_value);
        }
        __enzyme_autodiff((void *)relative, enzyme_dup, x, x_bar, enzyme_dup, y, y_bar, enzyme_const, n);
        failures += check("relative", relative_value);
    }
    // Each iteration is better than all before; and two of them are the same, of which the later one is chosen.
    n = 70;
    for (int i = 0; i < n; i++)
        x[i] = 0.01 * i;
    __enzyme_autodiff((void *)largest, enzyme_dup, x, x_bar, enzyme_dup, y, y_bar, enzyme_const, n);
    failures += check("rising", largest_value);
    for (int i = 0; i < 8; i++)
        y[i] = 0.5 + 0.1 * i;
    x[20] = x[50] = 3.0;
    __enzyme_autodiff((void *)largest, enzyme_dup, x, x_bar, enzyme_dup, y, y_bar, enzyme_const, n);
    if (x_bar[20] != 0.0 || x_bar[50] == 0.0) {
        printf("ties: %g %g\n", x_bar[20], x_bar[50]);
        failures++;
    }
    return failures != 0;
}
