// needs: mem2reg
/* Memory that is aligned by hand, through integers; bytes that are copied under old names; doubles that are copied to complex numbers. */
#include <complex.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
int enzyme_dup;

/* The original pointer lies in front of the aligned one. */
static void *take(size_t bytes, size_t alignment)
{
    char *raw = malloc(bytes + alignment + sizeof(void *));
    uintptr_t p = ((uintptr_t)raw + sizeof(void *) + alignment - 1) & ~(uintptr_t)(alignment - 1);
    ((void **)p)[-1] = raw;
    return (void *)p;
}

static void give(void *p) { free(((void **)p)[-1]); }

static double aligned(const double *x)
{
    double *a = take(6 * sizeof *a, 64), *b = take(6 * sizeof *b, 256), s = 0;
    for (int i = 0; i < 6; i++)
        a[i] = x[i] * x[i];
    for (int i = 0; i < 6; i++)
        b[i] = a[5 - i] * x[i];
    for (int i = 0; i < 6; i++)
        s += b[i] * a[i];
    give(a);
    give(b);
    return s;
}

/* A part of a block, from the next multiple of 32 on. */
static double rounded(const double *x)
{
    double block[24], s = 0;
    uintptr_t start = (uintptr_t)block;
    if (start % 32 != 0)
        start += 32 - start % 32;
    double *p = (double *)start;
    for (int i = 0; i < 6; i++)
        p[i] = x[i] * (i + 1);
    for (int i = 0; i < 6; i++)
        s += p[i] * p[5 - i];
    return s;
}

static double old_names(const double *x)
{
    double a[8], b[8], s = 0;
    bzero(a, sizeof a);
    bzero(b, sizeof b);
    bcopy(x, a, 6 * sizeof *a);
    for (int i = 0; i < 6; i++)
        a[i] *= x[5 - i];
    bcopy(a, a + 2, 6 * sizeof *a);
    bcopy(a, b, sizeof b);
    bzero(b + 1, sizeof *b);
    for (int i = 0; i < 8; i++)
        s += b[i] * b[i] * (i + 1);
    return s;
}

static double complex_copy(const double *x)
{
    double complex z[3], w = 1;
    double y[6], s = 0;
    memcpy(z, x, sizeof z);
    for (int i = 0; i < 3; i++)
        z[i] = w = w * z[i] + 0.5;
    memcpy(y, z, 3 * sizeof *z);
    for (int i = 0; i < 6; i++)
        s += y[i] * y[i] * (i + 1);
    return s;
}

static const double start[6] = {0.7, 1.1, -0.4, 0.9, 0.5, -0.8};

static int check(const char *name, double (*f)(const double *), const double *gradient, const double *columns)
{
    int failures = 0;
    for (int i = 0; i < 6; i++) {
        double x[6], h = 1e-5;
        memcpy(x, start, sizeof x);
        x[i] = start[i] + h;
        double above = f(x);
        x[i] = start[i] - h;
        double below = f(x), difference = (above - below) / (2 * h);
        if (!(fabs(gradient[i] - difference) <= 1e-6 * (1 + fabs(difference))) ||
            !(fabs(gradient[i] - columns[i]) <= 1e-11 * (1 + fabs(difference)))) {
            printf("%s, x[%d]: reverse %.12g, forward %.12g, differences %.12g\n", name, i, gradient[i], columns[i], difference);
            failures++;
        }
    }
    return failures;
}

#define CHECK(f)                                                                        \
    do {                                                                                \
        double x[6], gradient[6] = {0}, columns[6];                                     \
        memcpy(x, start, sizeof x);                                                     \
        __enzyme_autodiff((void *)f, enzyme_dup, x, gradient);                          \
        for (int i = 0; i < 6; i++) {                                                   \
            double direction[6] = {0};                                                  \
            direction[i] = 1;                                                           \
            columns[i] = __enzyme_fwddiff((void *)f, enzyme_dup, x, direction);         \
        }                                                                               \
        failures += check(#f, f, gradient, columns);                                    \
    } while (0)

int main(void)
{
    int failures = 0;
    CHECK(aligned);
    CHECK(rounded);
    CHECK(old_names);
    CHECK(complex_copy);
    return failures != 0;
}
