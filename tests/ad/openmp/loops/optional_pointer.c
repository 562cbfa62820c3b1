/* A pointer that may be null, and is a part of one block of parameters where the function is called: no comparison is left that compilers warn of. */
#include "../../check.h"
static void layer(double *out, const double *in, const double *weights, const double *bias, int n)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double sum = bias != 0 ? bias[i] : 0;
        for (int j = 0; j < n; j++)
            sum += weights[i * n + j] * in[j];
        out[i] = sum > 0 ? sum : 0.1 * sum;
    }
}
static double f(double *x, int n)
{
    double a[3] = {0.5, -0.25, 1}, b[3], s = 0;
    double *first = x, *second = first + 9, *bias = second + 9;
    layer(b, a, first, bias, 3);
    layer(a, b, second, 0, 3);
    for (int i = 0; i < 3; i++)
        s += a[i] * a[i] * (i + n);
    return s;
}
GRADIENT(f)
int main(void) { return CHECK(f, 21); }
