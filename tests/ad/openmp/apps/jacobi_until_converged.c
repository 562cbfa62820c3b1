// Jacobi in one region with a shared flag: the team leaves the loop together.
#include "../../check.h"
static double f(double *x, int n)
{
    double a[64] = {0}, b[64] = {0}, error = 0, s = 0;
    int done = 0, rounds = 0;
    double *old = a, *now = b;
#pragma omp parallel shared(old, now, error, done, rounds)
    {
        while (!done) {
#pragma omp for reduction(+ : error)
            for (int i = 0; i < n; i++) {
                double sum = x[i];
                if (i)
                    sum += 0.4 * old[i - 1];
                if (i < n - 1)
                    sum += 0.4 * old[i + 1];
                now[i] = sum / (1 + 0.5 * x[i]);
                error += (now[i] - old[i]) * (now[i] - old[i]);
            }
#pragma omp single
            {
                double *t = old;
                old = now;
                now = t;
                done = ++rounds >= 12 || error < 1e-3;
                error = 0;
            }
        }
    }
    for (int i = 0; i < n; i++)
        s += old[i] * old[i];
    return s;
}
GRADIENT(f)
int main(void) { return CHECK(f, 13); }
