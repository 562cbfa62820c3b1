/* Conjugate gradients with a matrix-free operator; differentiating through the iterations. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#define N 8
void __enzyme_autodiff(void *, ...);

static void apply(const double *k, const double *x, double *y)
{
    for (int i = 0; i < N; i++) {
        y[i] = (k[i] + k[i + 1]) * x[i];
        if (i > 0)
            y[i] -= k[i] * x[i - 1];
        if (i < N - 1)
            y[i] -= k[i + 1] * x[i + 1];
    }
}

static double dot(const double *a, const double *b)
{
    double s = 0;
    for (int i = 0; i < N; i++)
        s += a[i] * b[i];
    return s;
}

double compliance(const double *k, const double *load)
{
    double x[N] = {0}, r[N], p[N], q[N];
    memcpy(r, load, sizeof r);
    memcpy(p, load, sizeof p);
    double rr = dot(r, r);
    for (int it = 0; it < 40; it++) {
        apply(k, p, q);
        double alpha = rr / dot(p, q);
        for (int i = 0; i < N; i++) {
            x[i] += alpha * p[i];
            r[i] -= alpha * q[i];
        }
        double fresh = dot(r, r);
        if (sqrt(fresh) < 1e-11)
            break;
        double beta = fresh / rr;
        rr = fresh;
        for (int i = 0; i < N; i++)
            p[i] = r[i] + beta * p[i];
    }
    return dot(x, load);
}

int main(void)
{
    double k[N + 1], dk[N + 1] = {0}, f[N], df[N] = {0};
    for (int i = 0; i <= N; i++)
        k[i] = 1 + 0.3 * sin(i);
    for (int i = 0; i < N; i++)
        f[i] = 0.5 + 0.1 * i;
    __enzyme_autodiff((void *)compliance, k, dk, f, df);
    for (int i = 0; i <= N; i++) {
        double old = k[i];
        k[i] = old + 1e-5;
        double p = compliance(k, f);
        k[i] = old - 1e-5;
        double m = compliance(k, f);
        k[i] = old;
        double fd = (p - m) / 2e-5;
        if (!(fabs(fd - dk[i]) < 1e-5 * (1 + fabs(fd)))) {
            printf("stiffness %d: %g vs %g\n", i, dk[i], fd);
            return 1;
        }
    }
    double s = dot(f, df), c = compliance(k, f);
    if (!(fabs(s - 2 * c) < 1e-6 * c)) {
        printf("load: %g vs %g\n", s, 2 * c);
        return 1;
    }
    return 0;
}
