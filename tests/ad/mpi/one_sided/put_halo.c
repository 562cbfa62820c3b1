/* Neighbours put the ends of their parts into each other's, between fences in another function. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

enum { N = 4 };
static int rank, size;

typedef struct { MPI_Win win; double *u; } Field;

static __attribute__((noinline)) void exchange(Field *f)
{
    MPI_Win_fence(0, f->win);
    MPI_Put(&f->u[1], 1, MPI_DOUBLE, (rank + size - 1) % size, N + 1, 1, MPI_DOUBLE, f->win);
    MPI_Put(&f->u[N], 1, MPI_DOUBLE, (rank + 1) % size, 0, 1, MPI_DOUBLE, f->win);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, f->win);
}

static double objective(double *x)
{
    Field f = {MPI_WIN_NULL, calloc(N + 2, sizeof(double))};
    double *next = calloc(N + 2, sizeof *next), s = 0;
    MPI_Win_create(f.u, (N + 2) * sizeof *f.u, sizeof *f.u, MPI_INFO_NULL, MPI_COMM_WORLD, &f.win);
    for (int i = 0; i < N; i++) f.u[i + 1] = x[i];
    for (int t = 0; t < 4; t++) {
        exchange(&f);
        for (int i = 1; i <= N; i++) next[i] = f.u[i] + 0.1 * (f.u[i - 1] - 2 * f.u[i] + f.u[i + 1]) * f.u[i];
        for (int i = 1; i <= N; i++) f.u[i] = next[i];
    }
    MPI_Win_free(&f.win);
    for (int i = 1; i <= N; i++) s += f.u[i] * f.u[i] * i;
    free(f.u);
    free(next);
    return s;
}

/* What is differentiated: the sum over the ranks. */
static double total(double *x)
{
    double mine = objective(x), all;
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

int main(int argc, char **argv)
{
    double x[N], bar[N], dot[N], mine[2] = {0, 0}, all[2];
    int bad = 0, any;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < N; i++) {
        x[i] = 0.8 + 0.3 * sin(1.7 * i + 2.3 * rank + 0.4);
        dot[i] = cos(0.9 * i + 1.1 * rank);
        bar[i] = 0;
    }
    __enzyme_autodiff((void *)objective, x, bar);
    mine[0] = __enzyme_fwddiff((void *)objective, x, dot);
    for (int r = 0; r < size; r++)
        for (int i = 0; i < N; i++) {
            double h = 1e-6, at = x[i], up, down;
            x[i] = at + (r == rank ? h : 0);
            up = total(x);
            x[i] = at - (r == rank ? h : 0);
            down = total(x);
            x[i] = at;
            if (r == rank) {
                double numeric = (up - down) / (2 * h);
                mine[1] += bar[i] * dot[i];
                if (!(fabs(bar[i] - numeric) <= 1e-6 * (1 + fabs(numeric)))) {
                    printf("rank %d: d/dx[%d] is %.10g, not %.10g\n", rank, i, bar[i], numeric);
                    bad = 1;
                }
            }
        }
    MPI_Allreduce(mine, all, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (!(fabs(all[0] - all[1]) <= 1e-10 * (1 + fabs(all[1])))) {
        printf("the tangent is %.10g, not %.10g\n", all[0], all[1]);
        bad = 1;
    }
    MPI_Allreduce(&bad, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Finalize();
    return any;
}
