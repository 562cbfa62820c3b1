// grad: eliminated
// Rows below the pivot are each thread's own, and the pivot's row is everybody's: known from the loop around the region.
// no: atomic
// no: recorded
// how: a[i * n + k]: plain: each thread reads its own part
// how: a[k * n + j]: a copy for each thread
#include <math.h>

double eliminated(int n, double *a)
{
    double sum = 0.0;
    for (int k = 0; k < n; k++) {
#pragma omp parallel for
        for (int i = k + 1; i < n; i++) {
            double f = a[i * n + k] / a[k * n + k];
            a[i * n + k] = f;
            for (int j = k + 1; j < n; j++)
                a[i * n + j] -= f * a[k * n + j];
        }
    }
    for (int k = 0; k < n; k++)
        sum += log(fabs(a[k * n + k]));
    return sum;
}
