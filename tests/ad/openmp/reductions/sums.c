// + and -, with starts that are active themselves.
#include "../../check.h"
static double plus(double *x, int n)
{
    double s = x[0] * x[1];
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++)
        s += x[i] * x[i] * x[i];
    return s * s;
}
static double minus(double *x, int n)
{
    double s = x[0];
#pragma omp parallel for reduction(- : s)
    for (int i = 0; i < n; i++)
        s -= sin(x[i]);
    return s * x[n - 1];
}
static double spelled_out(double *x, int n)
{
    double s = 0, t = 1;
#pragma omp parallel for reduction(+ : s, t)
    for (int i = 0; i < n; i++) {
        s = s + x[i] * x[(i + 1) % n];
        t = x[i] + t;
        t -= 0.25 * x[n - 1 - i];
    }
    return s / t;
}
/* The private sum is read and scaled inside: allowed, though the result then depends on the team only through the sum of equal parts. */
static double conditional(double *x, int n)
{
    double s = 0;
#pragma omp parallel for reduction(+ : s) schedule(static, 2)
    for (int i = 0; i < n; i++) {
        if (x[i] < 0.9)
            continue;
        s += x[i];
        if (i % 3 == 0)
            s += x[i] * x[i];
    }
    return exp(0.1 * s);
}
GRADIENT(plus)
GRADIENT(minus)
GRADIENT(spelled_out)
GRADIENT(conditional)
int main(void) { return CHECK(plus, 21) | CHECK(minus, 14) | CHECK(spelled_out, 17) | CHECK(conditional, 30); }
