/* Kernels whose pointer arguments overlap in all ways, or not at all: their shadows overlap alike. Memory holds the primal's results afterwards. */
#include <math.h>
#include <stdio.h>
#include <string.h>

double __enzyme_autodiff(void *, ...);

enum { SIZE = 96 };

static double products(double *a, double *b, double *c, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        c[i] = a[i] * b[i];
    for (int i = 0; i < n; i++)
        s += c[i] * a[i] + b[i] * b[i];
    return s;
}

static double matrices(double *a, double *b, double *c, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            c[i * n + j] = 0;
            for (int k = 0; k < n; k++)
                c[i * n + j] += 0.5 * sin(a[i * n + k] * b[k * n + j]);
        }
    for (int i = 0; i < n * n; i++)
        s += c[i] * c[i] * (i + 1);
    return s;
}

static double accumulate(double *a, double *b, double *c, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            c[i] += sin(a[i] * b[k]) * 0.3;
    for (int i = 0; i < n; i++)
        s += c[i] * c[i];
    return s;
}

static double scaled(double *a, double *b, double *c, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        c[i] = a[2] * b[i] * b[i];
    for (int i = 0; i < n; i++)
        s += c[i] * a[i];
    return s;
}

static double recurrence(double *a, double *b, double *c, int n)
{
    for (int i = 0; i + 1 < n; i++)
        c[i + 1] = sin(c[i]) * a[i] + b[i + 1] * c[i + 1];
    return c[n - 1] * a[n - 1];
}

static double backwards(double *a, double *b, double *c, int n)
{
    double s = 0;
    for (int i = n - 1; i >= 1; i -= 2) {
        c[i - 1] = a[i] * b[i - 1] + c[i];
        s += c[i - 1] * c[i - 1];
    }
    for (int i = 0; i < n; i += 3)
        a[i] *= b[i];
    for (int i = 0; i < n; i++)
        s += a[i] * c[i];
    return s;
}

static double walking(double *a, double *b, double *c, int n)
{
    double s = 0, *p = c;
    const double *q = a;
    for (int i = 0; i < n; i++)
        *p++ = *q++ * b[i];
    for (size_t i = 1; i < (size_t)n; i++)
        c[i - 1] += a[i] * c[i];
    for (unsigned i = 0; i < (unsigned)n; i++)
        s += c[i] * c[i] + a[i];
    return s;
}

static double triangle(double *a, double *b, double *c, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            double t = a[i] * b[j];
            if (j % 2)
                c[j] += t;
            else
                c[i] -= t * t;
        }
    for (int i = 0; i < n; i++)
        s += c[i] * c[i];
    return s;
}

static double copies(double *a, double *b, double *c, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        b[i] = sin(a[i]);
    memmove(c, b, (size_t)n * sizeof *c);
    for (int i = 0; i < n; i++)
        s += c[i] * a[i] * b[i];
    return s;
}

static int failures;

static void start(double *x)
{
    for (int i = 0; i < SIZE; i++)
        x[i] = 0.4 + 0.3 * sin(1.7 * i + 0.2);
}

/* Compilers may order sums in other ways if they are told so. */
static int differ(const double *x, const double *y)
{
    for (int i = 0; i < SIZE; i++)
        if (!(fabs(x[i] - y[i]) <= 1e-12 * (1 + fabs(x[i]))))
            return 1;
    return 0;
}

#define CHECK(kernel, n)                                                                                                                        \
    static void check_##kernel(int a, int b, int c)                                                                                           \
    {                                                                                                                                         \
        double x[SIZE], d[SIZE] = {0}, y[SIZE];                                                                                               \
        start(x);                                                                                                                             \
        __enzyme_autodiff((void *)kernel, x + a, d + a, x + b, d + b, x + c, d + c, n);                                                       \
        start(y);                                                                                                                             \
        kernel(y + a, y + b, y + c, n);                                                                                                       \
        if (differ(x, y)) {                                                                                                                           \
            printf(#kernel "(%d, %d, %d): results are not the primal's\n", a, b, c);                                                          \
            failures++;                                                                                                                       \
        }                                                                                                                                     \
        for (int i = 0; i < SIZE; i++) {                                                                                                      \
            double h = 1e-5, r[2];                                                                                                            \
            for (int side = 0; side < 2; side++) {                                                                                            \
                start(y);                                                                                                                     \
                y[i] += side ? h : -h;                                                                                                        \
                r[side] = kernel(y + a, y + b, y + c, n);                                                                                     \
            }                                                                                                                                 \
            /* What is an output may have been consumed: only inputs that matter are compared. */                                             \
            double fd = (r[1] - r[0]) / (2 * h);                                                                                              \
            if (!(fabs(fd - d[i]) < 2e-6 * (1 + fabs(fd)))) {                                                                                 \
                printf(#kernel "(%d, %d, %d): %d: %g, not %g\n", a, b, c, i, d[i], fd);                                                       \
                failures++;                                                                                                                   \
            }                                                                                                                                 \
        }                                                                                                                                     \
    }

CHECK(products, 8)
CHECK(matrices, 4)
CHECK(accumulate, 7)
CHECK(scaled, 8)
CHECK(recurrence, 8)
CHECK(backwards, 9)
CHECK(walking, 8)
CHECK(triangle, 7)
CHECK(copies, 8)

int main(void)
{
    static const int places[][3] = {{0, 32, 64}, {64, 32, 0}, {0, 16, 32}, {0, 0, 0},  {0, 1, 2},  {2, 1, 0},   {0, 8, 4},  {8, 0, 4},
                                    {0, 32, 0},  {32, 0, 0},  {0, 40, 3},  {3, 40, 0}, {40, 3, 0}, {0, 32, 15}, {0, 31, 15}, {16, 0, 1}};
    for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
        const int *p = places[k];
        check_products(p[0], p[1], p[2]);
        check_matrices(p[0], p[1], p[2]);
        check_accumulate(p[0], p[1], p[2]);
        check_scaled(p[0], p[1], p[2]);
        check_recurrence(p[0], p[1], p[2]);
        check_backwards(p[0], p[1], p[2]);
        check_walking(p[0], p[1], p[2]);
        check_triangle(p[0], p[1], p[2]);
        check_copies(p[0], p[1], p[2]);
    }
    /* Nothing to do, nowhere. */
    __enzyme_autodiff((void *)matrices, (double *)0, (double *)0, (double *)0, (double *)0, (double *)0, (double *)0, 0);
    __enzyme_autodiff((void *)accumulate, (double *)0, (double *)0, (double *)0, (double *)0, (double *)0, (double *)0, 0);
    __enzyme_autodiff((void *)scaled, (double *)0, (double *)0, (double *)0, (double *)0, (double *)0, (double *)0, 0);
    __enzyme_autodiff((void *)products, (double *)0, (double *)0, (double *)0, (double *)0, (double *)0, (double *)0, -3);
    return failures != 0;
}
