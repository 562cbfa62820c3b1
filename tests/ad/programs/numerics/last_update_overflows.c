/* The last update of an array overflows, and nothing reads the array afterwards: its adjoints are zero, and meet no infinite partials. So do those of values that nobody uses. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
extern int enzyme_dup, enzyme_const;
#define N 60

static double f(const double *x, int n)
{
    double a[n], b[n], sum = 0;
    for (int i = 0; i < n; i++)
        a[i] = sin(x[i]) + 2, b[i] = x[i] * x[i];
    for (int i = 0; i < n; i++)
        sum += a[i] * b[n - 1 - i];
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) {
            double d = a[i] - 3 * a[j];
            a[i] += d * d;
            a[j] -= d * d;
        }
    if (sum > 0)
        for (int i = 0; i < n; i++) {
            b[i] = exp(1000 * b[i] + 800) * sum;
            if (b[i] > 1e300)
                b[i] -= b[i] / 3;
        }
    return sum;
}
/* here it is read */
static double g(const double *x, int n)
{
    double a[n], *p = a + n / 2, sum = 0;
    for (int i = 0; i < n; i++)
        a[i] = sin(x[i]) + 2;
    for (int i = 1; i < n; i++)
        a[i] += 0.1 * a[i - 1] * x[i];
    for (int i = 0; i < n - n / 2; i++)
        sum += p[i] * (i + 1);
    for (int i = 0; i < n; i++)
        a[i] = a[i] * x[i];
    return sum + p[-1] * a[n - 1];
}

/* in each step, of memory that the step has for itself, and then frees */
static double steps(const double *x, int n)
{
    double sum = 0;
    for (int t = 0; t < 3; t++) {
        double *a = malloc(sizeof *a * (size_t)n), b[3] = {x[t], x[t + 1], x[t + 2]};
        for (int i = 0; i < n; i++)
            a[i] = sin(x[i] + t) * b[i % 3];
        for (int i = 0; i < n; i++)
            sum += a[i] * a[n - 1 - i];
        for (int i = 0; i < n; i++)
            a[i] = exp(a[i] * a[i] * 100 + 800) * a[i];
        for (int k = 0; k < 3; k++)
            b[k] = exp(b[k] + 800) * b[k];
        free(a);
    }
    return sum;
}
/* What only some iterations use: in a loop that may not run, in a case, in the next iteration, after a call */
static double over(const double *x, int n, double d)
{
    return n ? x[n] * over(x, n - 1, d) : 1 / d;
}
static double unused(const double *x, int n)
{
    double sum = 0, next = 1;
    for (int i = 0; i < n; i++) {
        double d = i % 3 ? 2 + x[i] : 0 * x[i], p = x[i] / d, q = sin(x[i]) / d, r = over(x, i % 4, d);
        for (int k = 0; k < i % 3; k++)
            sum += p * x[k];
        switch (i % 3) {
        case 0:
            sum += x[i];
            break;
        case 1:
            sum += q;
            break;
        default:
            sum *= 1 + 0.1 * q;
        }
        if (i % 3 == 1)
            sum += r;
        sum += 0.1 * next * x[i];
        next = x[i] / (i == n - 1 ? 0 * x[i] : 2 + x[i]);
    }
    return sum;
}

/* the state behind the last step, in buffers that are exchanged */
static double exchanged(const double *x, int n)
{
    double *a = malloc(sizeof *a * (size_t)n), *b = malloc(sizeof *b * (size_t)n), sum = 0;
    for (int i = 0; i < n; i++)
        a[i] = 0.1 * x[i];
    for (int t = 0; t < 3; t++) {
        for (int i = 0; i < n; i++)
            sum += a[i] * a[n - 1 - i];
        for (int i = 0; i < n; i++)
            b[i] = x[i] / (t < 2 ? 2 + a[i] : 0 * a[i]);
        double *now = a;
        a = b;
        b = now;
    }
    free(a);
    free(b);
    return sum;
}

static int failures;
static void check(double (*h)(const double *, int), const double *d)
{
    double x[N];
    for (int i = 0; i < N; i++)
        x[i] = cos(i);
    for (int i = 0; i < N; i++) {
        double old = x[i], e = 1e-6;
        x[i] = old + e;
        double up = h(x, N);
        x[i] = old - e;
        double want = (up - h(x, N)) / (2 * e);
        x[i] = old;
        if (!(fabs(d[i] - want) <= 1e-5 * (1 + fabs(want))) && failures++ < 5)
            printf("%d: %.12g instead of %.12g\n", i, d[i], want);
    }
}
int main(void)
{
    double x[N], d[N] = {0}, e[N] = {0}, s[N] = {0}, u[N] = {0}, v[N] = {0};
    for (int i = 0; i < N; i++)
        x[i] = cos(i);
    __enzyme_autodiff((void *)f, enzyme_dup, x, d, enzyme_const, N);
    __enzyme_autodiff((void *)g, enzyme_dup, x, e, enzyme_const, N);
    __enzyme_autodiff((void *)steps, enzyme_dup, x, s, enzyme_const, N);
    __enzyme_autodiff((void *)unused, enzyme_dup, x, u, enzyme_const, N);
    __enzyme_autodiff((void *)exchanged, enzyme_dup, x, v, enzyme_const, N);
    check(g, e);
#ifndef PASSES_OFF
    check(f, d);
    check(steps, s);
    check(exchanged, v);
#endif
    check(unused, u);
    return failures != 0;
}
