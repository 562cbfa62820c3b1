// Minima and maxima in the spellings people use.
#include "../../check.h"
#include <float.h>
static double extremes(double *x, int n)
{
    double low = DBL_MAX, high = -DBL_MAX;
#pragma omp parallel for reduction(min : low) reduction(max : high)
    for (int i = 0; i < n; i++) {
        if (x[i] < low)
            low = x[i];
        high = fmax(high, x[i] * x[0]);
    }
    return high * high - low;
}
static double start_wins(double *x, int n)
{
    double low = 0.01 * x[0], high = 100 * x[1];
#pragma omp parallel for reduction(min : low) reduction(max : high)
    for (int i = 0; i < n; i++) {
        low = low < x[i] ? low : x[i];
        high = x[i] > high ? x[i] : high;
    }
    return low * high;
}
static double computed(double *x, int n)
{
    double best = -1e300;
#pragma omp parallel for reduction(max : best) schedule(dynamic)
    for (int i = 0; i < n; i++) {
        double score = 0;
        for (int k = 0; k < 4; k++)
            score += sin(x[(i + k) % n] * (k + 1));
        if (score > best)
            best = score;
    }
    return best * best * x[2];
}
static double log_sum_exp(double *x, int n)
{
    double top = -INFINITY, sum = 0;
#pragma omp parallel
    {
#pragma omp for reduction(max : top)
        for (int i = 0; i < n; i++)
            top = fmax(top, 3 * x[i]);
#pragma omp for reduction(+ : sum)
        for (int i = 0; i < n; i++)
            sum += exp(3 * x[i] - top);
    }
    return top + log(sum);
}
GRADIENT(extremes)
GRADIENT(start_wins)
GRADIENT(computed)
GRADIENT(log_sum_exp)
int main(void) { return CHECK(extremes, 25) | CHECK(start_wins, 13) | CHECK(computed, 16) | CHECK(log_sum_exp, 19); }
