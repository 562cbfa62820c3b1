/* Arrays behind globals that an initialisation allocated, exchanged between parallel loops; a struct with arrays that lives as long as the program */
// needs: prune hoist
#include "../../check.h"
double *u, *next, *weight;
static struct grid { int n; double h, *flux; } *grid;
static void initialise(int n)
{
    u = malloc(n * sizeof *u);
    next = malloc(n * sizeof *next);
    weight = malloc(n * sizeof *weight);
    grid = malloc(sizeof *grid);
    grid->n = n;
    grid->h = 0.5;
    grid->flux = malloc(n * sizeof *grid->flux);
    for (int i = 0; i < n; i++) weight[i] = 0.1 * (1 + i % 3);
}
static double f(double *x, int n)
{
    double s = 0;
    #pragma omp parallel for
    for (int i = 0; i < n; i++) u[i] = x[i] * weight[i];
    for (int k = 0; k < 4; k++) {
        #pragma omp parallel
        {
            #pragma omp for
            for (int i = 0; i < n; i++) grid->flux[i] = grid->h * u[i] * u[(i + 1) % n];
            #pragma omp for
            for (int i = 0; i < n; i++) next[i] = u[i] + 0.2 * (grid->flux[i] - grid->flux[i ? i - 1 : n - 1]);
        }
        double *t = u;
        u = next;
        next = t;
    }
    #pragma omp parallel for reduction(+:s)
    for (int i = 0; i < n; i++) s += u[i] * u[i] * (i + 1);
    return s;
}
GRADIENT(f)
int main(void)
{
    int failed = 0;
    for (int n = 7; n < 40; n += 16) {
        initialise(n);
        failed |= CHECK(f, n);
        failed |= CHECK(f, n);
        free(u), free(next), free(weight), free(grid->flux), free(grid);
    }
    return failed;
}
