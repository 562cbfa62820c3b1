/* Columns are got from the neighbours, sums are made at the first rank; windows of variables, one of them empty on most ranks. */
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
    double own[N], sum[2] = {0, 0}, got[8], s;
    MPI_Win a, b;
    MPI_Datatype every_second;
    MPI_Type_vector(3, 1, 2, MPI_DOUBLE, &every_second);
    MPI_Type_commit(&every_second);
    MPI_Win_create(own, sizeof own, sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &a);
    MPI_Win_create(sum, rank == 0 ? sizeof sum : 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &b);
    for (int i = 0; i < N; i++) own[i] = x[i] * x[i];
    MPI_Win_fence(MPI_MODE_NOPRECEDE, a);
    MPI_Win_fence(0, b);
    MPI_Get(got, 3, MPI_DOUBLE, (rank + 1) % size, 0, 1, every_second, a);
    MPI_Get(got + 3, 1, every_second, (rank + size - 1) % size, 1, 3, MPI_DOUBLE, a);
    MPI_Accumulate(&own[1], 2, MPI_DOUBLE, 0, 0, 2, MPI_DOUBLE, MPI_SUM, b);
    MPI_Type_free(&every_second);
    MPI_Win_fence(0, a);
    MPI_Win_fence(0, b);
    s = got[0] * got[1] * got[2] + got[3] * got[5] * x[0];
    MPI_Bcast(sum, 2, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Win_free(&a);
    MPI_Win_free(&b);
    return s + sum[0] * sum[1];
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
