// Reductions of whole arrays and of array sections.
#include "../../check.h"
#define BINS 6
static double whole(double *x, int n)
{
    double h[BINS] = {0}, s = 0;
#pragma omp parallel for reduction(+ : h)
    for (int i = 0; i < n; i++)
        h[i % BINS] += x[i] * x[i];
    for (int b = 0; b < BINS; b++)
        s += h[b] * h[b] / (1 + b);
    return s;
}
static void moments(const double *x, double *m, int count, int n)
{
#pragma omp parallel for reduction(+ : m[:count])
    for (int i = 0; i < n; i++) {
        double p = 1;
        for (int k = 0; k < count; k++) {
            m[k] += p;
            p *= x[i];
        }
    }
}
static double by_pointer(double *x, int n)
{
    double m[5] = {x[0], 0, 0, x[1], 0}, s = 0;
    moments(x, m, 5, n);
    for (int k = 0; k < 5; k++)
        s += m[k] * sin(m[k]);
    return s;
}
static double offset(double *x, int n)
{
    double *h = calloc(10, sizeof *h), s = 0;
    h[0] = x[0];
    h[9] = x[1];
    double first = h[0];
#pragma omp parallel for reduction(+ : h[2 : 4]) schedule(dynamic, 3)
    for (int i = 0; i < n; i++)
        h[2 + i % 4] += x[i] * first;
    for (int k = 0; k < 10; k++)
        s += h[k] * h[k];
    free(h);
    return s;
}
static double matrix(double *x, int n)
{
    double c[3][4] = {{0}}, s = 0;
#pragma omp parallel
    {
#pragma omp for reduction(+ : c)
        for (int i = 0; i < n; i++)
            for (int k = 0; k < 4; k++)
                c[i % 3][k] += x[i] * x[(i + k) % n];
#pragma omp for reduction(+ : s)
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 4; k++)
                s += c[i][k] * c[2 - i][k];
    }
    return s;
}
static double largest(double *x, int n)
{
    double top[3] = {0, 0, 0};
#pragma omp parallel for reduction(max : top[0 : 3])
    for (int i = 0; i < n; i++)
        if (x[i] > top[i % 3])
            top[i % 3] = x[i];
    return top[0] * top[1] + top[2] * top[2];
}
/* How long the section is is computed in the region, or read there. */
static int lengths[3] = {3, 7, 5};
static double computed(double *x, int n)
{
    double h[16] = {0}, s = 0;
#pragma omp parallel
    {
        int long_one = 2 * (n % 3) + 4;
#pragma omp for reduction(+ : h[: long_one + 1])
        for (int i = 0; i < n; i++)
            h[i % 5] += x[i] * x[n - 1 - i];
    }
    for (int k = 0; k < 16; k++)
        s += h[k] * h[k] * (k + 1);
    return s;
}
static double read_inside(double *x, int n)
{
    double h[16] = {0}, s = 0;
#pragma omp parallel
    {
        int length = lengths[n % 3];
#pragma omp for reduction(+ : h[1 : length])
        for (int i = 0; i < n; i++)
            h[1 + i % 3] += x[i] * sin(x[i]);
    }
    for (int k = 0; k < 16; k++)
        s += h[k] * h[k] * (k + 1);
    return s;
}
GRADIENT(whole)
GRADIENT(computed)
GRADIENT(read_inside)
GRADIENT(by_pointer)
GRADIENT(offset)
GRADIENT(matrix)
GRADIENT(largest)
int main(void) { return CHECK(whole, 29) | CHECK(computed, 23) | CHECK(computed, 25) | CHECK(read_inside, 19) | CHECK(read_inside, 20) | CHECK(by_pointer, 11) | CHECK(offset, 18) | CHECK(matrix, 10) | CHECK(largest, 22); }
