// grad: pairs
// All pairs in chunks whose size follows from the number of threads: the first of a pair is the thread's own.
// no: atomic
// no: recorded
// how: x[i]: plain: each thread reads its own part
// how: x[j]: a copy for each thread
#include <math.h>

double pairs(int n, const double *x, const double *q)
{
    double sum = 0.0;
#pragma omp parallel for schedule(guided) reduction(+ : sum)
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++)
            sum += q[i] * q[j] / (0.1 + fabs(x[i] - x[j]));
    return sum;
}
