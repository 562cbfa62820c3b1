// grad: forces
// some: _disjoint(x
// some: omp_get_max_threads
// deterministic: refused
#include <math.h>
#include <omp.h>
#include <stddef.h>

/* Each thread has an array of its own behind one pointer: how far they reach follows from how many threads there are at most. */
void forces(const double *x, double *each, double *out, int n)
{
#pragma omp parallel
    {
        int t = omp_get_thread_num(), threads = omp_get_num_threads();
        double *mine = each + (size_t)t * (size_t)n;
        for (int i = 0; i < n; i++)
            mine[i] = 0.0;
#pragma omp for schedule(dynamic, 8)
        for (int i = 0; i < n; i++)
            for (int j = i + 1; j < n; j++) {
                double d = x[j] - x[i], force = d / (1 + d * d);
                mine[i] += force;
                mine[j] -= force;
            }
#pragma omp for
        for (int i = 0; i < n; i++) {
            double sum = 0.0;
            for (int k = 0; k < threads; k++)
                sum += each[(size_t)k * (size_t)n + (size_t)i];
            out[i] = sum;
        }
    }
}
