// What is around a region: loops that end early, branches, returns; the team's size may change from one time to the next.
#include <omp.h>
#include "../../check.h"
static double steps(double *x, int n)
{
    double *u = malloc(n * sizeof *u), norm = 1e9;
    memcpy(u, x, n * sizeof *u);
    int step = 0;
    while (norm > 0.05) {
        double sum = 0;
        if (step % 2 == 0) {
#pragma omp parallel for num_threads(1 + step % 3) reduction(+ : sum)
            for (int i = 0; i < n; i++) {
                u[i] = 0.6 * sin(u[i]) + 0.01 * x[i] * u[i];
                sum += u[i] * u[i];
            }
        } else {
            for (int i = 0; i < n; i++) {
                u[i] = 0.5 * u[i] * u[i] + 0.3 * u[i];
                sum += u[i] * u[i];
            }
        }
        norm = sum / n;
        if (++step > 30)
            break;
    }
    double s = norm;
    for (int i = 0; i < n; i++)
        s += u[i] * x[i];
    free(u);
    return s;
}
static double leaves(double *x, int n)
{
    double s = 0;
    for (int k = 0; k < 5; k++) {
        double part = 0;
#pragma omp parallel for reduction(+ : part) if (k != 2)
        for (int i = 0; i < n; i++)
            part += x[i] * x[(i + k) % n] * x[i];
        s += part * part;
        if (s > 2e3)
            return s * x[0];
    }
    return s;
}
GRADIENT(steps)
GRADIENT(leaves)
int main(void) { return CHECK(steps, 13) | CHECK(leaves, 23); }
