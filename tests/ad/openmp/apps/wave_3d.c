// Three time levels, rotated; threads over planes.
#include "../../check.h"
#define W 5
#define ID(i, j, k) (((i) * W + (j)) * W + (k))
static void step(const double *restrict old, const double *restrict now, double *restrict next, double c)
{
#pragma omp parallel for
    for (int i = 1; i < W - 1; i++)
        for (int j = 1; j < W - 1; j++)
            for (int k = 1; k < W - 1; k++)
                next[ID(i, j, k)] = 2 * now[ID(i, j, k)] - old[ID(i, j, k)] +
                                    c * (now[ID(i - 1, j, k)] + now[ID(i + 1, j, k)] + now[ID(i, j - 1, k)] + now[ID(i, j + 1, k)] +
                                         now[ID(i, j, k - 1)] + now[ID(i, j, k + 1)] - 6 * now[ID(i, j, k)]);
}
static double f(double *x, int n)
{
    double *u[3], s = 0;
    for (int b = 0; b < 3; b++) {
        u[b] = calloc(W * W * W, sizeof **u);
        for (int i = 0; i < W * W * W; i++)
            u[b][i] = 0.1 * sin(i) * x[i % n];
    }
    for (int t = 0; t < 5; t++)
        step(u[t % 3], u[(t + 1) % 3], u[(t + 2) % 3], 0.05 * x[0]);
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < W * W * W; i++)
        s += u[(4 + 2) % 3][i] * u[(4 + 2) % 3][i];
    for (int b = 0; b < 3; b++)
        free(u[b]);
    return s;
}
GRADIENT(f)
int main(void) { return CHECK(f, 8); }
