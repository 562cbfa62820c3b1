// message: adjoin: the reverse sweep of a parallel region has fewer threads than its forward sweep
// The forward sweep has a team, the reverse sweep is asked for inside a region, where nested teams have one thread.
#include <math.h>
#include <omp.h>
#include <stdio.h>
#define N 16
void *__enzyme_augmentfwd(void *, ...);
void __enzyme_reverse(void *, ...);
extern int enzyme_dup, enzyme_const;
static void step(double *u, int n)
{
#pragma omp parallel
    {
        double mine = 0;
#pragma omp for
        for (int i = 0; i < n; i++) {
            mine = sin(u[i]) + 0.5 * mine;
            u[i] = mine * u[i];
        }
    }
}
int main(void)
{
    double u[N], b[N];
    for (int i = 0; i < N; i++) {
        u[i] = 1 + 0.1 * i;
        b[i] = 1;
    }
    omp_set_max_active_levels(1);
    void *tape = __enzyme_augmentfwd((void *)step, enzyme_dup, u, b, enzyme_const, N);
#pragma omp parallel num_threads(2)
    {
#pragma omp master
        __enzyme_reverse((void *)step, enzyme_dup, u, b, enzyme_const, N, tape);
    }
    printf("the reverse sweep ran: %g\n", b[0]);
    return 0;
}
