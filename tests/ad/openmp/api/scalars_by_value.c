/* by-value parameters read by all threads: their adjoints are sums over the team */
#include <math.h>
#include <stdio.h>
typedef struct { double value, a, b, c; } result;
result __enzyme_autodiff(void *, ...);
int enzyme_out, enzyme_const, enzyme_primal_return;
static double integral(double a, double b, double c, int n)
{
    double sum = 0, h = (b - a) / n;
    #pragma omp parallel for reduction(+:sum) firstprivate(c)
    for (int i = 0; i < n; i++) {
        double x = a + (i + 0.5) * h;
        sum += exp(-c * x * x) * cos(x);
    }
    return sum * h;
}
int main(void)
{
    int n = 100, bad = 0;
    double p[3] = {0.2, 1.7, 0.6}, h = 1e-6;
    result r = __enzyme_autodiff((void *)integral, enzyme_primal_return, enzyme_out, p[0], enzyme_out, p[1], enzyme_out, p[2], enzyme_const, n);
    double got[3] = {r.a, r.b, r.c};
    if (fabs(r.value - integral(p[0], p[1], p[2], n)) > 1e-12) { printf("value %g\n", r.value); bad = 1; }
    for (int k = 0; k < 3; k++) {
        double q[3] = {p[0], p[1], p[2]};
        q[k] += h; double up = integral(q[0], q[1], q[2], n);
        q[k] -= 2 * h; double low = integral(q[0], q[1], q[2], n);
        if (fabs(got[k] - (up - low) / (2 * h)) > 1e-7) { printf("%d: %g, not %g\n", k, got[k], (up - low) / (2 * h)); bad = 1; }
    }
    return bad;
}
