// Power iteration on a graph, until the change is small; a reduction decides.
#include "../../check.h"
static double f(double *x, int n)
{
    double rank[64], next[64], change = 1, s = 0;
    int rounds = 0;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        rank[i] = 1.0 / n;
    while (change > 1e-3 && rounds++ < 30) {
        change = 0;
#pragma omp parallel for reduction(max : change)
        for (int i = 0; i < n; i++) {
            double sum = 0;
            for (int k = 1; k <= 3; k++) {
                int j = (i * k + k * k) % n;
                sum += rank[j] * x[j] / 4;
            }
            next[i] = 0.15 / n + 0.85 * sum;
            change = fmax(change, fabs(next[i] - rank[i]) * n);
        }
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            rank[i] = next[i];
    }
    for (int i = 0; i < n; i++)
        s += rank[i] * rank[i] * n * (1 + i);
    return s;
}
GRADIENT(f)
int main(void) { return CHECK(f, 17); }
