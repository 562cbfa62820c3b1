// Inclusive scan by blocks: local sums, a serial scan over the blocks, then the offsets are added.
#include "../../check.h"
#include <omp.h>
static void scan(const double *in, double *out, int n)
{
    double *block = NULL;
#pragma omp parallel
    {
        int me = omp_get_thread_num(), all = omp_get_num_threads();
#pragma omp single
        {
            block = malloc((all + 1) * sizeof *block);
            block[0] = 0;
        }
        int lo = (int)((long)n * me / all), hi = (int)((long)n * (me + 1) / all);
        double sum = 0;
        for (int i = lo; i < hi; i++) {
            sum += in[i];
            out[i] = sum;
        }
        block[me + 1] = sum;
#pragma omp barrier
        double offset = 0;
        for (int t = 0; t <= me; t++)
            offset += block[t];
        for (int i = lo; i < hi; i++)
            out[i] += offset;
    }
    free(block);
}
static double f(double *x, int n)
{
    double y[64], z[64], s = 0;
    for (int i = 0; i < n; i++)
        y[i] = x[i] * x[i];
    scan(y, z, n);
    for (int i = 0; i < n; i++)
        s += sin(z[i]);
    return s;
}
GRADIENT(f)
int main(void) { return CHECK(f, 5) | CHECK(f, 33); }
