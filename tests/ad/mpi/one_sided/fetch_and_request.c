/* Numbers that are fetched and changed at once, and one-sided calls with requests. */
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
    MPI_Win win; double *v, got, rg[2], s = 0; MPI_Request rq[2];
    MPI_Win_allocate(4 * sizeof *v, sizeof *v, MPI_INFO_NULL, MPI_COMM_WORLD, &v, &win);
    for (int i = 0; i < 4; i++) v[i] = x[i];
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, win);
    int t = (rank + 1) % size; double y = x[4] * x[5], add[2] = {x[1], y}, old[2];
    MPI_Fetch_and_op(&y, &got, MPI_DOUBLE, t, 0, MPI_SUM, win);
    MPI_Win_flush(t, win);
    s += got * got;
    MPI_Get_accumulate(add, 2, MPI_DOUBLE, old, 2, MPI_DOUBLE, t, 1, 2, MPI_DOUBLE, MPI_REPLACE, win);
    MPI_Win_flush_local(t, win);
    s += old[0] * old[1];
    MPI_Fetch_and_op(NULL, &got, MPI_DOUBLE, t, 3, MPI_NO_OP, win);
    MPI_Win_flush(t, win);
    s += got * x[0];
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Rget(rg, 2, MPI_DOUBLE, (rank + size - 1) % size, 0, 2, MPI_DOUBLE, win, &rq[0]);
    MPI_Raccumulate(&y, 1, MPI_DOUBLE, t, 3, 1, MPI_DOUBLE, MPI_SUM, win, &rq[1]);
    MPI_Waitall(2, rq, MPI_STATUSES_IGNORE);
    s += rg[0] * rg[1];
    MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < 4; i++) s += v[i] * v[i] * (i + 1);
    MPI_Win_free(&win);
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
