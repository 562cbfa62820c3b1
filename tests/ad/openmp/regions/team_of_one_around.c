// A team of one thread, as the program says, around a function with a team that asks for its numbers: that one may have any number of threads.
#include "../../check.h"
#include <omp.h>

static double shared_out(const double *x, int n, double v)
{
    double s = 0, w[8];
#pragma omp parallel reduction(+ : s)
    {
        int me = omp_get_thread_num(), threads = omp_get_num_threads();
        for (int i = me; i < n; i += threads)
            s += x[i] * v;
#pragma omp barrier
#pragma omp for
        for (int i = 0; i < 8; i++)
            w[i] = sin(v * x[i % n]);
        for (int i = me; i < 8; i += threads)
            s += w[i] * w[(i + 1) % 8];
    }
    return s;
}

static double around(double *x, int n)
{
    double s = 0.1, t = 0;
#pragma omp parallel num_threads(1) reduction(+ : s) firstprivate(t)
    {
        double p = 1;
        t = omp_get_thread_num() + omp_get_num_threads();
#pragma omp for
        for (int i = 0; i < n; i++) {
            s += x[i] * shared_out(x, n, x[i] * p);
            p *= x[i];
        }
#pragma omp sections
        {
#pragma omp section
            s += shared_out(x, n, x[0]);
#pragma omp section
            s += x[1] * t;
        }
#pragma omp single
        s += x[2 % n];
    }
    return s * s;
}
GRADIENT(around)

int main(void)
{
    return CHECK(around, 8);
}
