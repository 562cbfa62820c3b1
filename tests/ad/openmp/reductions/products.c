// Products, also with factors that are zero: the derivative is the product of the others.
#include "../../check.h"
static double product(double *x, int n)
{
    double p = x[0];
#pragma omp parallel for reduction(* : p)
    for (int i = 0; i < n; i++)
        p *= 0.5 + x[i];
    return p;
}
static double one_zero(double *x, int n)
{
    double p = 1, at = x[2];
#pragma omp parallel for reduction(* : p)
    for (int i = 0; i < n; i++)
        p *= i == 5 ? at - at + x[0] - x[0] + (x[3] - x[3]) : x[i];
    return p + x[1];
}
static double zero_factor(double *x, int n)
{
    double p = 1;
    double offset = 0.9 + 0.3 * sin(1.7 * 4 + 0.4); /* x[4] at the point of differentiation */
#pragma omp parallel for reduction(* : p)
    for (int i = 0; i < n; i++)
        p *= i == 4 ? x[4] - offset : x[i];
    return p;
}
static double two_zeros(double *x, int n)
{
    double p = 2;
    double a = 0.9 + 0.3 * sin(1.7 * 1 + 0.4), b = 0.9 + 0.3 * sin(1.7 * 6 + 0.4);
#pragma omp parallel for reduction(* : p) schedule(dynamic)
    for (int i = 0; i < n; i++) {
        if (i == 1)
            p *= x[1] - a;
        else if (i == 6)
            p *= (x[6] - b) * x[i];
        else
            p = p * x[i];
    }
    return p + x[0] * x[0];
}
GRADIENT(product)
GRADIENT(one_zero)
GRADIENT(zero_factor)
GRADIENT(two_zeros)
int main(void) { return CHECK(product, 12) | CHECK(one_zero, 9) | CHECK(zero_factor, 9) | CHECK(two_zeros, 11); }
