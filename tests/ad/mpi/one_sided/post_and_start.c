/* Neighbours put, get and add between MPI_Win_start and MPI_Win_complete; the groups are freed before the reverse sweep. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

enum { N = 4 };
static int rank, size;

typedef struct {
    MPI_Win win;
    MPI_Group next, last;
} Ring;

static Ring ring_of(double *u, int n)
{
    Ring r;
    MPI_Group all;
    int next = (rank + 1) % size, last = (rank + size - 1) % size;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 1, &next, &r.next);
    MPI_Group_incl(all, 1, &last, &r.last);
    MPI_Group_free(&all);
    MPI_Win_create(u, n * sizeof *u, sizeof *u, MPI_INFO_NULL, MPI_COMM_WORLD, &r.win);
    return r;
}

static double objective(double *x)
{
    double u[N + 2] = {0}, got[2] = {0, 0}, s = 0;
    int next = (rank + 1) % size;
    Ring r = ring_of(u, N + 2);
    for (int i = 0; i < N; i++)
        u[i] = x[i] * x[(i + 1) % N];
    for (int t = 0; t < 3; t++) {
        double put = u[0] * x[t], add = sin(u[1]);
        MPI_Win_post(r.last, 0, r.win);
        MPI_Win_start(r.next, 0, r.win);
        MPI_Put(&put, 1, MPI_DOUBLE, next, N, 1, MPI_DOUBLE, r.win);
        MPI_Accumulate(&add, 1, MPI_DOUBLE, next, N + 1, 1, MPI_DOUBLE, MPI_SUM, r.win);
        MPI_Get(got, 2, MPI_DOUBLE, next, 1, 2, MPI_DOUBLE, r.win);
        MPI_Win_complete(r.win);
        MPI_Win_wait(r.win);
        s += got[0] * got[1] + u[N] * u[N + 1];
        u[0] += 0.3 * got[1] * u[N];
        u[1] = got[0] - u[N + 1] * 0.2;
    }
    MPI_Group_free(&r.next);
    MPI_Group_free(&r.last);
    MPI_Win_free(&r.win);
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
