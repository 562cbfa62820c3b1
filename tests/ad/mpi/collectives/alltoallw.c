/* MPI_Alltoallw and MPI_Ialltoallw: a matrix by rows to one by columns, and back. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

enum { N = 12 };
static int rank, size;

static double objective(double *x)
{
    // row-distributed to column-distributed 2D array by subarray types; one block as float
    int n = 2 * size;
    double *a = malloc(sizeof(double) * (size_t)(2 * n)), *b = calloc((size_t)(2 * n), sizeof(double)), s = 0;
    MPI_Datatype *st = malloc(sizeof(MPI_Datatype) * (size_t)size), *rt = malloc(sizeof(MPI_Datatype) * (size_t)size);
    int *one = malloc(sizeof(int) * (size_t)size), *zero = calloc((size_t)size, sizeof(int));
    for (int i = 0; i < 2 * n; i++) a[i] = sin(x[i % N]) * (1 + 0.1 * i);
    for (int p = 0; p < size; p++) {
        int whole[2] = {2, n}, part[2] = {2, 2}, at[2] = {0, 2 * p}, w2[2] = {n, 2}, at2[2] = {2 * p, 0};
        MPI_Type_create_subarray(2, whole, part, at, MPI_ORDER_C, MPI_DOUBLE, &st[p]);
        MPI_Type_create_subarray(2, w2, part, at2, MPI_ORDER_C, MPI_DOUBLE, &rt[p]);
        MPI_Type_commit(&st[p]); MPI_Type_commit(&rt[p]);
        one[p] = (rank + p) % 3 == 2 && p != rank ? 0 : 1;
    }
    MPI_Alltoallw(a, one, zero, st, b, one, zero, rt, MPI_COMM_WORLD);
    for (int i = 0; i < 2 * n; i++) s += b[i] * b[i] * x[i % N];
    MPI_Request r;
    for (int p = 0; p < size; p++) one[p] = 1;
    MPI_Ialltoallw(b, one, zero, rt, a, one, zero, st, MPI_COMM_WORLD, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    for (int i = 0; i < 2 * n; i++) s += a[i] * b[i];
    for (int p = 0; p < size; p++) { MPI_Type_free(&st[p]); MPI_Type_free(&rt[p]); }
    free(a); free(b); free(st); free(rt); free(one); free(zero);
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
