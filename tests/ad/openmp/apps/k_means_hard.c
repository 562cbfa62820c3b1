// Lloyd's algorithm: assignments are integers, centres are active; counts and sums per thread, merged in a critical section.
#include "../../check.h"
#define K 3
static double f(double *x, int n)
{
    double centre[K] = {x[0], x[1], x[2]}, inertia = 0;
    int label[64];
    for (int it = 0; it < 3; it++) {
        double sum[K] = {0};
        int count[K] = {0};
#pragma omp parallel
        {
            double mine[K] = {0};
            int many[K] = {0};
#pragma omp for
            for (int i = 0; i < n; i++) {
                int best = 0;
                for (int k = 1; k < K; k++)
                    if (fabs(x[i] - centre[k]) < fabs(x[i] - centre[best]))
                        best = k;
                label[i] = best;
                mine[best] += x[i];
                many[best]++;
            }
#pragma omp critical
            for (int k = 0; k < K; k++) {
                sum[k] += mine[k];
                count[k] += many[k];
            }
        }
        for (int k = 0; k < K; k++)
            if (count[k])
                centre[k] = sum[k] / count[k];
    }
#pragma omp parallel for reduction(+ : inertia)
    for (int i = 0; i < n; i++)
        inertia += (x[i] - centre[label[i]]) * (x[i] - centre[label[i]]);
    return inertia;
}
GRADIENT(f)
int main(void) { return CHECK(f, 25); }
