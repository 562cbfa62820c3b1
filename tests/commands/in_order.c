// OpenMP constructs that are read in order: their text is that of one thread.
// adjoin: check %s -f chain --openmp --set n=8 --size x=8
// adjoin: check %s -f across --openmp --set n=8 --size x=8
// adjoin: check %s -f scanned --openmp --set n=8 --size x=8
#include <math.h>

double chain(const double *x, int n)
{
    double a = 0, b = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(out : a)
        for (int i = 0; i < n; i++)
            a += x[i];
#pragma omp task depend(in : a) depend(out : b)
        b = a * a;
    }
    return b + a;
}

double across(const double *x, int n)
{
    double y[8];
    for (int i = 0; i < n; i++)
        y[i] = x[i] * x[i];
#pragma omp parallel for ordered(1)
    for (int i = 1; i < n; i++) {
#pragma omp ordered depend(sink : i - 1)
        y[i] += 0.3 * y[i - 1];
#pragma omp ordered depend(source)
    }
    return y[n - 1];
}

double scanned(const double *x, int n)
{
    double y[8], sum = x[0], s = 0;
#pragma omp parallel for reduction(inscan, + : sum)
    for (int i = 0; i < n; i++) {
        sum += sin(x[i]);
#pragma omp scan inclusive(sum)
        y[i] = sum;
    }
    for (int i = 0; i < n; i++)
        s += y[i] * y[i];
    return s;
}
