/* Borders of a heat equation are put in one epoch of MPI_Win_lock_all, with flushes and barriers. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

enum { N = 6 };
static int rank, size;

static double objective(double *x)
{
    MPI_Win win; double *u, *w = malloc((N + 2) * sizeof *w); MPI_Win_allocate((N + 2) * sizeof *u, sizeof *u, MPI_INFO_NULL, MPI_COMM_WORLD, &u, &win);
    for (int i = 0; i < N + 2; i++) u[i] = 0;
    for (int i = 0; i < N; i++) u[i + 1] = x[i];
    int l = rank ? rank - 1 : MPI_PROC_NULL, r = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
    MPI_Win_lock_all(MPI_MODE_NOCHECK, win);
    for (int t = 0; t < 4; t++) {
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Put(&u[1], 1, MPI_DOUBLE, l, N + 1, 1, MPI_DOUBLE, win);
        MPI_Put(&u[N], 1, MPI_DOUBLE, r, 0, 1, MPI_DOUBLE, win);
        MPI_Win_flush_all(win);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Win_sync(win);
        for (int i = 1; i <= N; i++) w[i] = u[i] + 0.2 * (u[i - 1] - 2 * u[i] + u[i + 1]) + 0.01 * u[i] * u[i - 1];
        for (int i = 1; i <= N; i++) u[i] = w[i];
    }
    MPI_Win_unlock_all(win);
    double s = 0; for (int i = 1; i <= N; i++) s += u[i] * u[i] * i;
    MPI_Win_free(&win); free(w);
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
