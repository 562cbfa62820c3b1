// grad: squares
// no: atomic
#include <stdlib.h>
double squares(const double *x, int m)
{
    double *all = 0, total = 0.0;
#pragma omp parallel
    {
#pragma omp single
        all = calloc((size_t)m, sizeof *all);
#pragma omp for
        for (int i = 0; i < m; i++)
            all[i] += x[i] * x[i];
#pragma omp for reduction(+ : total)
        for (int j = 0; j < m; j++)
            total += all[j] * all[j];
    }
    free(all);
    return total;
}
