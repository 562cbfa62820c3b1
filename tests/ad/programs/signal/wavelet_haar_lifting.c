/* Haar and a lifting step, in place over scales (strides double), forward and inverse give the identity. */
#include <math.h>
#include <stdio.h>

extern int enzyme_dup;
extern int enzyme_const;
void __enzyme_autodiff(void *, ...);

static void decompose(double *x, int n)
{
    for (int step = 1; step < n; step *= 2)
        for (int i = 0; i + step < n; i += 2 * step) {
            x[i + step] -= x[i];
            x[i] += 0.5 * x[i + step];
        }
}

static void reconstruct(double *x, int n)
{
    for (int step = n / 2; step >= 1; step /= 2)
        for (int i = 0; i + step < n; i += 2 * step) {
            x[i] -= 0.5 * x[i + step];
            x[i + step] += x[i];
        }
}

static void denoise(double *x, int n)
{
    decompose(x, n);
    for (int i = 1; i < n; i++)
        x[i] = x[i] * x[i] * x[i] / (0.1 + x[i] * x[i]);
    reconstruct(x, n);
}

static void roundtrip(double *x, int n)
{
    decompose(x, n);
    reconstruct(x, n);
}

int main(void)
{
    enum { N = 16 };
    double x[N], y[N], w[N], keep[N];
    for (int i = 0; i < N; i++) {
        x[i] = keep[i] = sin(i);
        w[i] = cos(2.0 * i);
    }
    __enzyme_autodiff((void *)roundtrip, enzyme_dup, x, w, enzyme_const, N);
    for (int i = 0; i < N; i++)
        if (!(fabs(w[i] - cos(2.0 * i)) < 1e-13 && fabs(x[i] - keep[i]) < 1e-13)) {
            printf("identity: %d %g\n", i, w[i]);
            return 1;
        }
    for (int i = 0; i < N; i++)
        w[i] = i + 1;
    __enzyme_autodiff((void *)denoise, enzyme_dup, x, w, enzyme_const, N);
    for (int i = 0; i < N; i++) {
        double f[2] = {0, 0};
        for (int s = 0; s < 2; s++) {
            for (int j = 0; j < N; j++)
                y[j] = keep[j] + (j == i ? (s ? 1e-6 : -1e-6) : 0);
            denoise(y, N);
            for (int j = 0; j < N; j++)
                f[s] += (j + 1) * y[j];
        }
        if (!(fabs(w[i] - (f[1] - f[0]) / 2e-6) < 1e-6 * (1 + fabs(w[i])))) {
            printf("x[%d]: %g vs %g\n", i, w[i], (f[1] - f[0]) / 2e-6);
            return 1;
        }
    }
    return 0;
}
