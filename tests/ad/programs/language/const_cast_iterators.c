/* Loops of every shape: down to zero with unsigned, steps by variables, two induction variables, float-controlled. */
#include <math.h>
#include <stdio.h>

extern int enzyme_const, enzyme_dup;
double __enzyme_autodiff(void *, ...);

double shapes(const double *x, unsigned n, int stride)
{
    double s = 0;
    for (unsigned i = n; i-- > 0;)
        s = s * 0.9 + x[i];
    for (int i = 0, j = (int)n - 1; i < j; i += stride, j--)
        s += x[i] * x[j];
    for (double t = 0.0; t < 1.0; t += 0.25)
        s += t * x[(int)(t * 4)];
    int k = 1;
    while (k < (int)n) {
        s *= 1 + 0.1 * x[k];
        k *= 2;
    }
    for (long long i = -3; i <= 3; i += 2)
        s += i * x[(i + 3) % n];
    unsigned char c = 250;
    do
        s += 0.01 * x[c % n];
    while (++c != 3);
    return s;
}

int main(void)
{
    double x[6] = {0.2, 0.7, -0.5, 1.1, 0.4, -0.9}, g[6] = {0};
    __enzyme_autodiff((void *)shapes, enzyme_dup, x, g, enzyme_const, 6u, enzyme_const, 2);
    for (int i = 0; i < 6; i++) {
        double k = x[i];
        x[i] = k + 1e-6;
        double a = shapes(x, 6, 2);
        x[i] = k - 1e-6;
        double b = shapes(x, 6, 2);
        x[i] = k;
        if (!(fabs(g[i] - (a - b) / 2e-6) < 1e-8)) {
            printf("x[%d]: %g vs %g\n", i, g[i], (a - b) / 2e-6);
            return 1;
        }
    }
    return 0;
}
