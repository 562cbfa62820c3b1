/* One integer as an index in several types: what is converted differently is another place. And indices that wrap around. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double __enzyme_autodiff(void *, ...);

/* Two stores, of which the second does not replace the first. */
static double stored(double *x, int n)
{
    double *w = calloc(1024, sizeof *w), s = 0;
    for (int i = 0; i < n; i++) {
        int k = i * 37;
        w[(unsigned char)k] = x[i] * 2;
        w[(unsigned short)k] = x[i] * x[i];
    }
    for (int i = 0; i < 1024; i++)
        s += w[i] * w[i] * (i % 7 + 1);
    free(w);
    return s;
}

/* What is added to is not what is read. */
static double added(double *x, int n)
{
    double w[1024] = {0}, s = 0;
    for (int i = 0; i < n; i++) {
        int k = i * 37;
        w[k] = x[i];
        w[(unsigned char)k] = w[(unsigned short)k] + x[i] * x[i];
        s += w[(unsigned char)k] * w[(unsigned char)(k + 1)];
    }
    for (int i = 0; i < 1024; i++)
        s += w[i] * w[i] * (i % 5 + 1);
    return s;
}

/* What an iteration writes and what it reads of its scratch. */
static double scratch(double *x, int n)
{
    double s = 0, w[1024];
    for (int i = 0; i < 1024; i++)
        w[i] = 0.1 * i;
    for (int i = 0; i < n; i++) {
        for (int k = 250; k < 260; k++)
            w[(unsigned char)k] = sin(x[i] * k);
        for (int k = 250; k < 260; k++)
            s += w[(unsigned short)k] * x[i] * w[(unsigned char)k];
    }
    return s;
}

/* A place that a loop adds to, and another that it reads. */
static double summed(double *x, int n)
{
    double w[1024] = {0}, s = 0;
    for (int i = 0; i < n; i++) {
        int k = 200 + 10 * i;
        for (int j = 0; j < n; j++) {
            w[(unsigned char)k] += x[j] * x[i];
            w[k] += w[(unsigned char)k] * 0.1 * x[j];
        }
        s += w[k] * (i + 1) + w[(unsigned char)k];
    }
    return s;
}

/* Steps backwards, in a type without a sign. */
static double backwards(double *x, int n)
{
    double s = 0;
    for (unsigned i = 0; i < 19u; i++) {
        unsigned k = i * -1 + 18u;
        x[k] = 0.5 * x[i] * x[k] + 0.1;
    }
    for (unsigned i = 0; i < 18u; i++)
        x[i] = 0.5 * x[i - -1u] * x[i] + 0.1;
    for (unsigned i = 1; i < 19u; i++)
        x[i + -1] += 0.3 * x[i] * x[i + -1];
    for (int i = 0; i < n; i++)
        s += x[i] * x[i] * (i + 1);
    return s;
}

static int check(const char *name, double (*f)(double *, int), double *x, const double *g, int n)
{
    for (int i = 0; i < n; i++) {
        double y[32];
        memcpy(y, x, n * sizeof *x);
        y[i] = x[i] + 1e-6;
        double p = f(y, n);
        memcpy(y, x, n * sizeof *x);
        y[i] = x[i] - 1e-6;
        double m = f(y, n);
        if (!(fabs(g[i] - (p - m) / 2e-6) < 1e-5 * (1 + fabs(g[i])))) {
            printf("%s, x[%d]: %g vs %g\n", name, i, g[i], (p - m) / 2e-6);
            return 1;
        }
    }
    return 0;
}

int main(void)
{
    enum { n = 19 };
    double x[n], a[n] = {0}, b[n] = {0}, c[n] = {0}, d[n] = {0}, e[n] = {0}, y[n];
    for (int i = 0; i < n; i++)
        x[i] = y[i] = 0.7 + 0.45 * sin(1.3 * i);
    __enzyme_autodiff((void *)stored, x, a, n);
    __enzyme_autodiff((void *)added, x, b, n);
    __enzyme_autodiff((void *)scratch, x, c, n);
    __enzyme_autodiff((void *)summed, x, d, n);
    __enzyme_autodiff((void *)backwards, y, e, n);
    return check("stored", stored, x, a, n) + check("added", added, x, b, n) + check("scratch", scratch, x, c, n) + check("summed", summed, x, d, n) +
           check("backwards", backwards, x, e, n);
}
