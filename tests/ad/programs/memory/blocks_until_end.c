/* Arrays that loops make for themselves, small and large, few and many: variable lengths, heap blocks, and those of functions that are called. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double __enzyme_autodiff(void *, ...);

static double variable_lengths(const double *x, int n)
{
    double s = 0;
    for (int t = 1; t <= n; t++) {
        double a[t], b[t][t];
        char name[t];
        memset(name, 'x', sizeof name);
        for (int i = 0; i < t; i++) {
            a[i] = sin(x[i] * t);
            for (int j = 0; j < t; j++)
                b[i][j] = a[i] * x[j] + (name[i] == 'x');
        }
        for (int i = 0; i < t; i++)
            s += a[i] * b[i][t - 1 - i] * b[t - 1][i];
    }
    return s;
}

/* From a few bytes to more than a block that others share. */
static double growing(const double *x, int n)
{
    double s = 0;
    for (int t = 0; t < 5; t++) {
        int size = 3;
        for (int k = 0; k < t; k++)
            size *= 9;
        double *a = malloc(size * sizeof *a), *b = calloc(size, sizeof *b);
        for (int i = 0; i < size; i++) {
            a[i] = x[i % n] * x[i % n] / (1 + i);
            b[size - 1 - i] += a[i] * x[(i + t) % n];
        }
        for (int i = 0; i < size; i++)
            s += a[i] * b[i] / size;
        free(a);
        free(b);
    }
    return s;
}

/* Some blocks become larger, and ask how large they were. */
static double resized(const double *x, int n)
{
    double s = 0;
    for (int t = 1; t < n; t++) {
        double *a = malloc(t * sizeof *a), *b = malloc(t * sizeof *b);
        for (int i = 0; i < t; i++) {
            a[i] = x[i] * x[t];
            b[i] = cos(x[i]);
        }
        a = realloc(a, 2 * t * sizeof *a);
        for (int i = 0; i < t; i++)
            a[t + i] = a[i] * b[i];
        for (int i = 0; i < 2 * t; i++)
            s += a[i] * a[i];
        free(a);
        free(b);
    }
    return s;
}

static double part(const double *x, int n, int depth)
{
    double *a = malloc(n * sizeof *a), s = 0;
    for (int i = 0; i < n; i++)
        a[i] = x[i] * x[n - 1 - i] * depth;
    for (int i = 0; i < n; i++)
        s += sin(a[i]) * a[n - 1 - i];
    if (n > 1)
        s += part(x, n / 2, depth + 1) * part(x + n / 2, n - n / 2, depth + 1);
    free(a);
    return s;
}

static double halves(const double *x, int n) { return part(x, n, 1); }

static int failures;

enum { N = 12 };

static void check(const char *name, double (*f)(const double *, int), const double *bar)
{
    double x[N], h = 1e-6;
    for (int k = 0; k < N; k++) {
        double value[2], difference;
        for (int side = 0; side < 2; side++) {
            for (int i = 0; i < N; i++)
                x[i] = 0.6 + 0.3 * sin(i) + (i == k ? (side ? -h : h) : 0);
            value[side] = f(x, N);
        }
        difference = (value[0] - value[1]) / (2 * h);
        if (fabs(bar[k] - difference) > 1e-6 * (1 + fabs(difference))) {
            printf("%s [%d]: %.10g, differences say %.10g\n", name, k, bar[k], difference);
            failures++;
        }
    }
}

int main(void)
{
    double x[N];
    for (int i = 0; i < N; i++)
        x[i] = 0.6 + 0.3 * sin(i);
    /* Twice: what is kept from the first call is used by the second. */
    for (int again = 0; again < 2; again++) {
        double a[N] = {0}, b[N] = {0}, c[N] = {0}, d[N] = {0};
        __enzyme_autodiff((void *)variable_lengths, x, a, N);
        __enzyme_autodiff((void *)growing, x, b, N);
        __enzyme_autodiff((void *)resized, x, c, N);
        __enzyme_autodiff((void *)halves, x, d, N);
        check("variable lengths", variable_lengths, a);
        check("growing", growing, b);
        check("resized", resized, c);
        check("halves", halves, d);
    }
    return failures != 0;
}
