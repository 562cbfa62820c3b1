// Borders that are asked for by the counter itself: `i ? u[i - 1] : a`, with signed and unsigned counters, at sizes from none to many.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
extern int enzyme_dup, enzyme_const;

enum { MOST = 300 };

static double first(const double *u, int n)
{
    double next[MOST], s = 0;
    for (int i = 0; i < n; i++) {
        double left = i ? u[i - 1] : u[n], right = i < n - 1 ? u[i + 1] : u[n + 1];
        next[i] = u[i] + 0.1 * (left - 2 * u[i] + right) * u[i];
    }
    for (int i = 0; i < n; i++)
        s += next[i] * next[i] * (i + 1);
    return s;
}

static double last(const double *u, int n)
{
    double next[MOST], s = u[n] + u[n + 1];
    for (unsigned i = 0; i < (unsigned)n; i++) {
        double left = !i ? u[n] * u[n] : u[i - 1];
        double right = (unsigned)n - 1 - i ? u[i + 1] : u[n + 1];
        next[i] = sin(left) * u[i] + right * right;
    }
    for (int i = 0; i < n; i++)
        s += next[i] / (1 + i);
    return s;
}

static double middle(const double *u, int n)
{
    double next[MOST] = {0}, s = 0;
    for (int i = 0; i < n; i++)
        next[i] = i - 2 ? u[i] * (i ? u[i - 1] : 3) : exp(u[n]) * u[i];
    for (int i = 0; i < n; i++)
        s += next[i] * u[n + 1];
    return s;
}

static int check(const char *name, double (*f)(const double *, int), const double *g, double t,
    double *u, int n)
{
    int wrong = 0;
    double sum = 0;
    for (int i = 0; i < n + 2; i++) {
        double kept = u[i], h = 1e-6;
        u[i] = kept + h;
        double above = f(u, n);
        u[i] = kept - h;
        double below = f(u, n);
        u[i] = kept;
        double expected = (above - below) / (2 * h);
        sum += g[i] * (0.5 + i % 3);
        if (!(fabs(g[i] - expected) < 1e-5 * (1 + fabs(expected)))) {
            printf("%s of %d, component %d: %.12g, differences %.12g\n", name, n, i, g[i], expected);
            wrong = 1;
        }
    }
    if (!(fabs(sum - t) < 1e-9 * (1 + fabs(t)))) {
        printf("%s of %d: %.14g, forward mode says %.14g\n", name, n, sum, t);
        wrong = 1;
    }
    return wrong;
}

#define TRY(f)                                                                                   \
    {                                                                                            \
        double g[MOST + 2] = {0};                                                                \
        __enzyme_autodiff((void *)f, enzyme_dup, u, g, enzyme_const, n);                         \
        double t = __enzyme_fwddiff((void *)f, enzyme_dup, u, v, enzyme_const, n);               \
        wrong |= check(#f, f, g, t, u, n);                                                       \
    }

int main(void)
{
    static const int sizes[] = {0, 1, 2, 3, 4, 7, 40, 270};
    double u[MOST + 2], v[MOST + 2];
    int wrong = 0;
    for (int i = 0; i < MOST + 2; i++) {
        u[i] = sin(0.7 * i);
        v[i] = 0.5 + i % 3;
    }
    for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        int n = sizes[k];
        TRY(first)
        TRY(last)
        TRY(middle)
    }
    return wrong;
}
