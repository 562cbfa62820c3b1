// A few weights that all iterations read, among elements that only some do: `w[0..2]` is also `w[i]`.
#include <math.h>
#include <stdio.h>
#include <string.h>
double __enzyme_autodiff(void *, ...);
extern int enzyme_dup, enzyme_const;

enum { N = 60 };
static double f(const double *w, int n)
{
    double s = 0;
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++) {
        double t = w[i] * w[i];
        for (int k = 0; k < 3; k++) t += w[k] * sin(w[i] * k);
        s += t * t;
    }
    return s;
}
int main(void)
{
    double w[N], bar[N] = {0};
    int failures = 0;
    for (int i = 0; i < N; i++) w[i] = 0.5 + 0.3 * sin(i);
    for (int times = 0; times < 20; times++) {
        memset(bar, 0, sizeof bar);
        __enzyme_autodiff((void *)f, enzyme_dup, w, bar, enzyme_const, (int)N);
        for (int i = 0; i < N; i++) {
            double h = 1e-6, x = w[i];
            w[i] = x + h;
            double above = f(w, N);
            w[i] = x - h;
            double below = f(w, N);
            w[i] = x;
            double want = (above - below) / (2 * h);
            if (!(fabs(bar[i] - want) <= 1e-5 * (1 + fabs(want))) && failures++ < 5) printf("%d: %g instead of %g\n", i, bar[i], want);
        }
    }
    return failures != 0;
}
