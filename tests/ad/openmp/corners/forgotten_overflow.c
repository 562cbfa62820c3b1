// What a thread keeps to itself and nobody reads any more overflows, in a region where threads order themselves by what they count, or may print something.
#include "../../check.h"
#include <omp.h>

static double apply(double (*g)(double), double v)
{
    return g(0.5 * v) + 0.25 * g(v);
}

static double kept_to_itself(double *x, int n)
{
    double w[8] = {0}, s = 0;
    int count = 0;
#pragma omp parallel reduction(+ : s)
    {
        int arrived;
#pragma omp for
        for (int i = 0; i < n; i++) {
            double *h = malloc(5 * sizeof *h);
            for (int k = 0; k < 5; k++)
                h[k] = sin(0.6 * x[i]) * (k + 1) / 5;
            w[i] = 0.2 * h[1];
            for (int k = 0; k < 5; k++)
                h[k] = exp(900.0 + h[k]) * h[k];
            free(h);
            s += apply(x[i] > 0.9 ? sin : cos, w[i]);
        }
#pragma omp atomic capture seq_cst
        arrived = ++count;
        if (arrived > 1000)
            printf("many threads\n");
    }
    return s * s;
}
GRADIENT(kept_to_itself)

int main(void)
{
    return CHECK(kept_to_itself, 6);
}
