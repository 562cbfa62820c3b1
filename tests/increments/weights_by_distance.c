// grad: filtered
// no: atomic
// no: recorded
// A few weights for many neighbours: which one it is depends on how far away the neighbour is.
#include <stdlib.h>
double filtered(const double *weights, const double *field, double *out, int n)
{
    double sum = 0.0;
#pragma omp parallel for
    for (int i = 2; i < n - 2; i++)
        for (int j = 2; j < n - 2; j++) {
            double all = 0.0;
            for (int di = -2; di <= 2; di++)
                for (int dj = -2; dj <= 2; dj++)
                    all += weights[abs(di) + abs(dj)] * field[(i + di) * n + j + dj];
            out[i * n + j] = all / (1 + all * all);
        }
#pragma omp parallel for reduction(+ : sum)
    for (int i = 2; i < n - 2; i++)
        for (int j = 2; j < n - 2; j++)
            sum += out[i * n + j] * out[i * n + j];
    return sum;
}
