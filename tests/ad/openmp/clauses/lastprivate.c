// The value of the last iteration leaves the loop; the original's earlier value is gone.
#include "../../check.h"
static double scalar(double *x, int n)
{
    double last = x[0] * 10, index = 0;
    int i;
#pragma omp parallel for lastprivate(last, i) lastprivate(index)
    for (i = 0; i < n; i++) {
        last = x[i] * x[i];
        index = x[i] * i;
    }
    return last * last + index + i * x[0];
}
static double array(double *x, int n)
{
    double v[2], s = 0;
#pragma omp parallel for lastprivate(v) schedule(dynamic, 3)
    for (int i = 0; i < n; i++) {
        v[0] = sin(x[i]);
        v[1] = x[i] * x[(i + 2) % n];
    }
    for (int k = 0; k < 2; k++)
        s += v[k] * v[1 - k] * x[k];
    return s;
}
static double first_and_last(double *x, int n)
{
    double carry = x[3], y[64], s = 0;
#pragma omp parallel for firstprivate(carry) lastprivate(carry) schedule(static, 1) num_threads(1)
    for (int i = 0; i < n; i++) {
        y[i] = carry;
        carry = 0.5 * carry + x[i];
    }
    for (int i = 0; i < n; i++)
        s += y[i];
    return s * carry;
}
static double sections(double *x, int n)
{
    double out = 0;
    (void)n;
#pragma omp parallel sections lastprivate(out)
    {
#pragma omp section
        out = x[0];
#pragma omp section
        out = x[1] * x[2];
    }
    return out * out;
}
static double collapsed(double *x, int n)
{
    double t = 0;
#pragma omp parallel for collapse(2) lastprivate(t)
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < n; j++)
            t = x[i] * x[j];
    return exp(t);
}
GRADIENT(scalar)
GRADIENT(array)
GRADIENT(first_and_last)
GRADIENT(sections)
GRADIENT(collapsed)
int main(void) { return CHECK(scalar, 17) | CHECK(array, 20) | CHECK(first_and_last, 9) | CHECK(sections, 4) | CHECK(collapsed, 7); }
