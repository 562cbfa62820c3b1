// Copies that start with the original's value: their adjoints add up in the original's.
#include "../../check.h"
typedef struct { double a, b[2]; int k; } setting;
static double scalars(double *x, int n)
{
    double scale = x[0] * x[1], shift = sin(x[2]), s = 0;
#pragma omp parallel for firstprivate(scale, shift) reduction(+ : s)
    for (int i = 0; i < n; i++) {
        double saved = shift;
        shift += x[i];
        s += scale * shift * shift;
        shift = saved;
    }
    return s + shift;
}
static double arrays(double *x, int n)
{
    double w[3] = {x[0], x[1] * x[2], 1}, y[64], s = 0;
#pragma omp parallel for firstprivate(w)
    for (int i = 0; i < n; i++) {
        double keep = w[2];
        w[2] = w[0] * x[i];
        y[i] = w[2] + w[1];
        w[2] = keep;
    }
    for (int i = 0; i < n; i++)
        s += y[i] * y[i] * w[2];
    return s;
}
static double structs(double *x, int n)
{
    setting c = {x[0], {x[1], x[2] * x[2]}, 1};
    double s = 0;
#pragma omp parallel firstprivate(c) reduction(+ : s)
    {
        double a = c.a;
#pragma omp for
        for (int i = 0; i < n; i++) {
            c.a = a * x[i];
            s += c.a * c.b[i % 2] * c.k;
        }
    }
    return s * c.a;
}
static double pointers(double *x, int n)
{
    double *p = x, s = 0, q[64];
    memcpy(q, x, n * sizeof *q);
#pragma omp parallel for firstprivate(p) shared(q) reduction(+ : s)
    for (int i = 0; i < n; i++) {
        p = i % 2 ? x : q;
        s += p[i] * p[n - 1 - i];
    }
    return s * *p;
}
GRADIENT(scalars)
GRADIENT(arrays)
GRADIENT(structs)
GRADIENT(pointers)
int main(void) { return CHECK(scalars, 14) | CHECK(arrays, 18) | CHECK(structs, 11) | CHECK(pointers, 16); }
