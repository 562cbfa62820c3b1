/* A mutex that the program makes of an integer orders what is done to numbers. */
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
    MPI_Win win, mw; double *v; int *m, zero = 0, one = 1, was;
    MPI_Win_allocate(rank == 0 ? sizeof *v : 0, sizeof *v, MPI_INFO_NULL, MPI_COMM_WORLD, &v, &win);
    MPI_Win_allocate(rank == 0 ? sizeof *m : 0, sizeof *m, MPI_INFO_NULL, MPI_COMM_WORLD, &m, &mw);
    if (rank == 0) { *v = 1; *m = 0; }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, win); MPI_Win_lock_all(0, mw);
    for (int t = 0; t < 2; t++) {
        do { MPI_Compare_and_swap(&one, &zero, &was, MPI_INT, 0, 0, mw); MPI_Win_flush(0, mw); } while (was != 0);
        double a;
        MPI_Get(&a, 1, MPI_DOUBLE, 0, 0, 1, MPI_DOUBLE, win); MPI_Win_flush(0, win);
        a = a * (x[t] + x[t + 1] * x[t + 1]);
        MPI_Put(&a, 1, MPI_DOUBLE, 0, 0, 1, MPI_DOUBLE, win); MPI_Win_flush(0, win);
        MPI_Fetch_and_op(&zero, &was, MPI_INT, 0, 0, MPI_REPLACE, mw); MPI_Win_flush(0, mw);
    }
    MPI_Win_unlock_all(mw); MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    double s = rank == 0 ? *v * *v : 0;
    MPI_Win_free(&win); MPI_Win_free(&mw);
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
