/* target, teams and distribute, on the host: one team, and all memory is shared */
#include "../../check.h"
static double blocks(double *x, int n)
{
    double s = 0, v[24], w[24], t = x[1];
    #pragma omp target data map(to: x[0:n]) map(from: v, w)
    {
        #pragma omp target teams num_teams(2) thread_limit(4)
        #pragma omp distribute
        for (int b = 0; b < 4; b++) {
            double c = x[b % n] * t;
            #pragma omp parallel for
            for (int i = 0; i < 6; i++)
                v[b * 6 + i] = c * sin(i + x[0]);
        }
        #pragma omp target teams distribute parallel for simd map(to: v)
        for (int i = 0; i < 24; i++)
            w[i] = v[i] * v[(i + 1) % 24];
        /* t is copied: what is stored to it is lost. */
        #pragma omp target
        {
            t = 5;
            w[0] += t * x[0];
        }
        #pragma omp target map(tofrom: t)
        t += x[2];
        #pragma omp target update to(x[0:n])
    }
    #pragma omp target teams loop reduction(+: s) map(tofrom: s)
    for (int i = 0; i < 24; i++)
        s += w[i] * t;
    return s;
}
static double words(double *x, int n)
{
    double s = 0, v[16], own = x[0];
    #pragma omp teams distribute parallel for collapse(2)
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            v[4 * i + j] = x[i % n] * cos(j * x[1]);
    #pragma omp teams private(own) reduction(+: s)
    {
        own = 2;
        #pragma omp distribute simd
        for (int i = 0; i < 16; i++)
            v[i] *= own;
    }
    #pragma omp parallel
    {
        #pragma omp masked
        v[0] *= own;
        #pragma omp scope private(own)
        {
            own = 1;
            (void)own;
        }
        #pragma omp nothing
        #pragma omp for reduction(+: s)
        for (int i = 0; i < 16; i++)
            s += v[i] * v[i];
    }
    return s;
}
GRADIENT(blocks)
GRADIENT(words)
int main(void) { return CHECK(blocks, 5) | CHECK(words, 5); }
