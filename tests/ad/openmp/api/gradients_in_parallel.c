/* gradients of a serial function, computed by many threads at once: nothing may be shared between calls */
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define D 6
#define POINTS 64
extern double __enzyme_autodiff(void *, ...);
extern int enzyme_dup, enzyme_const;
static double f(const double *x, int steps)
{
    double *u = malloc(D * sizeof *u), s = 0;
    memcpy(u, x, D * sizeof *u);
    for (int t = 0; t < steps; t++)
        for (int i = 0; i < D; i++)
            u[i] = sin(u[i]) + 0.2 * u[(i + 1) % D] * u[i];
    for (int i = 0; i < D; i++)
        s += u[i] * u[i];
    free(u);
    return s;
}
int main(void)
{
    static double x[POINTS][D], g[POINTS][D], alone[POINTS][D];
    int bad = 0;
    for (int p = 0; p < POINTS; p++)
        for (int i = 0; i < D; i++)
            x[p][i] = sin(p + 3.0 * i);
#pragma omp parallel for schedule(dynamic)
    for (int p = 0; p < POINTS; p++)
        __enzyme_autodiff((void *)f, enzyme_dup, x[p], g[p], enzyme_const, 3 + p % 9);
    for (int p = 0; p < POINTS; p++) {
        __enzyme_autodiff((void *)f, enzyme_dup, x[p], alone[p], enzyme_const, 3 + p % 9);
        if (memcmp(alone[p], g[p], sizeof g[p])) {
            printf("point %d differs\n", p);
            bad = 1;
        }
    }
    return bad;
}
