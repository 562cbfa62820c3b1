/* Levinson-Durbin recursion on autocorrelations: prediction error, arrays updated in place from both ends. */
#include <math.h>
#include <stdio.h>

#define ORDER 4
double __enzyme_autodiff(void *, ...);

static void autocorrelate(const double *x, int n, double *r, int lags)
{
    for (int l = 0; l <= lags; l++) {
        r[l] = 0;
        for (int i = l; i < n; i++)
            r[l] += x[i] * x[i - l];
    }
}

double prediction_error(const double *x, int n)
{
    double r[ORDER + 1], a[ORDER + 1] = {1.0};
    autocorrelate(x, n, r, ORDER);
    double err = r[0];
    for (int m = 1; m <= ORDER; m++) {
        double acc = r[m];
        for (int i = 1; i < m; i++)
            acc += a[i] * r[m - i];
        double k = -acc / err;
        a[m] = k;
        for (int i = 1, j = m - 1; i <= j; i++, j--) {
            double t = a[i] + k * a[j];
            if (i != j)
                a[j] += k * a[i];
            a[i] = t;
        }
        err *= 1 - k * k;
    }
    return err;
}

int main(void)
{
    double x[20], g[20] = {0};
    for (int i = 0; i < 20; i++)
        x[i] = sin(0.4 * i) + 0.3 * cos(1.9 * i * i);
    __enzyme_autodiff((void *)prediction_error, x, g, 20);
    double dot = 0;
    for (int i = 0; i < 20; i++) {
        double k = x[i];
        x[i] = k + 1e-6;
        double a = prediction_error(x, 20);
        x[i] = k - 1e-6;
        double b = prediction_error(x, 20);
        x[i] = k;
        dot += g[i] * x[i];
        if (!(fabs(g[i] - (a - b) / 2e-6) < 1e-7)) {
            printf("x[%d]: %g vs %g\n", i, g[i], (a - b) / 2e-6);
            return 1;
        }
    }
    return fabs(dot - 2 * prediction_error(x, 20)) < 1e-10 ? 0 : (puts("not homogeneous"), 1);
}
