/* Arrays that are updated in place: what is overwritten later must be known to the reverse sweep, what is not can be read again. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

double __enzyme_autodiff(void *, ...);

static double cholesky(double *a, int n)
{
    double s = 0;
    for (int j = 0; j < n; j++) {
        for (int k = 0; k < j; k++)
            for (int i = j; i < n; i++)
                a[i * n + j] -= a[i * n + k] * a[j * n + k];
        double pivot = sqrt(a[j * n + j]);
        for (int i = j; i < n; i++)
            a[i * n + j] /= pivot;
    }
    for (int i = 0; i < n; i++)
        s += log(a[i * n + i]) * (i + 1);
    return s;
}

static double elimination(double *a, int n)
{
    double s = 0;
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i < n; i++) {
            a[i * n + k] /= a[k * n + k];
            for (int j = k + 1; j < n; j++)
                a[i * n + j] -= a[i * n + k] * a[k * n + j];
        }
    for (int i = 0; i < n * n; i++)
        s += a[i] * a[i] / (1 + i);
    return s;
}

/* States one after the other: each is read, never written again. */
static double states(double *h, int n)
{
    double s = 0;
    for (int t = 0; t + 1 < n; t++)
        for (int i = 0; i < n; i++)
            h[(t + 1) * n + i] = tanh(h[t * n + i] * h[t * n + (i + 1) % n]) + h[(t + 1) * n + i];
    for (int i = 0; i < n; i++)
        s += h[(n - 1) * n + i] * h[(n - 1) * n + i];
    return s;
}

/* Two rows in turn. */
static double rows(double *h, int n)
{
    double s = 0;
    for (int t = 0; t < 5; t++)
        for (int i = 0; i < n; i++)
            h[((t + 1) % 2) * n + i] = sin(h[(t % 2) * n + i]) * h[i];
    for (int i = 0; i < n; i++)
        s += h[i] * h[i] + h[n + i];
    return s;
}

/* The row is longer than what its stride says. */
static double skewed(double *a, int n)
{
    double s = 0;
    for (int i = 0; i + 1 < n; i++)
        for (int j = 0; j < 2 * (n - 2); j++)
            a[i * (n - 2) + j] = a[i * (n - 2) + j] * a[j] + 0.1;
    for (int i = 0; i < n * n; i++)
        s += a[i] * a[i];
    return s;
}

static double sweeps(double *u, int n)
{
    double s = 0;
    for (int t = 0; t < 4; t++) {
        for (int i = 1; i + 1 < n * n; i++)
            u[i] = 0.4 * u[i] * u[i] + 0.3 * u[i - 1] + 0.2 * sin(u[i + 1]);
        u[0] = u[n] * u[1];
    }
    for (int i = 0; i < n * n; i++)
        s += u[i] * u[i];
    return s;
}

static double negative_steps(double *a, int n)
{
    double s = 0;
    for (int i = n * n - 1; i > 0; i--)
        a[i] = a[i] * a[i - 1];
    for (int i = n * n - 2; i >= 0; i--)
        a[i] += 0.2 * sin(a[i + 1]);
    for (int i = 0; i < n * n; i++)
        s += a[i] * a[i];
    return s;
}

static double cubes(double *a, int n)
{
    double s = 0;
    int m = 2;
    for (int t = 1; t < m; t++)
        for (int i = 0; i < m; i++)
            for (int j = 0; j < n; j++)
                a[(t * m + i) * n + j] += a[((t - 1) * m + i) * n + j] * a[((t - 1) * m + 1 - i) * n + j];
    for (int i = 0; i < n * n; i++)
        s += a[i] * a[i];
    return s;
}

static int failures;

static void start(double *x, int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            x[i * n + j] = 0.3 * sin(1.3 * (i + j) + 0.4) + (i == j ? 3 : 0.2);
}

/* Compilers may order sums in other ways if they are told so. */
static int differ(const double *x, const double *y, int n)
{
    for (int i = 0; i < n * n; i++)
        if (!(fabs(x[i] - y[i]) <= 1e-12 * (1 + fabs(x[i]))))
            return 1;
    return 0;
}

#define CHECK(kernel)                                                                                            \
    static void check_##kernel(int n)                                                                          \
    {                                                                                                          \
        size_t bytes = (size_t)(n * n) * sizeof(double);                                                       \
        double *x = malloc(bytes), *d = calloc(1, bytes), *y = malloc(bytes);                                  \
        start(x, n);                                                                                           \
        __enzyme_autodiff((void *)kernel, x, d, n);                                                            \
        start(y, n);                                                                                           \
        kernel(y, n);                                                                                          \
        if (differ(x, y, n)) {                                                                                         \
            printf(#kernel ": results are not the primal's\n");                                                \
            failures++;                                                                                        \
        }                                                                                                      \
        for (int i = 0; i < n * n; i++) {                                                                      \
            double h = 1e-5, r[2];                                                                             \
            for (int side = 0; side < 2; side++) {                                                             \
                start(y, n);                                                                                   \
                y[i] += side ? h : -h;                                                                         \
                r[side] = kernel(y, n);                                                                        \
            }                                                                                                  \
            double fd = (r[1] - r[0]) / (2 * h);                                                               \
            if (!(fabs(fd - d[i]) < 1e-5 * (1 + fabs(fd)))) {                                                  \
                printf(#kernel ": %d: %g, not %g\n", i, d[i], fd);                                             \
                failures++;                                                                                    \
            }                                                                                                  \
        }                                                                                                      \
        free(x);                                                                                               \
        free(d);                                                                                               \
        free(y);                                                                                               \
    }

CHECK(cholesky)
CHECK(elimination)
CHECK(states)
CHECK(rows)
CHECK(skewed)
CHECK(sweeps)
CHECK(negative_steps)
CHECK(cubes)

int main(void)
{
    check_cholesky(6);
    check_elimination(6);
    check_states(6);
    check_rows(6);
    check_skewed(6);
    check_sweeps(5);
    check_negative_steps(5);
    check_cubes(4);
    return failures != 0;
}
