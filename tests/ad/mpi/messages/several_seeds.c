/* Several seeds of a gradient at once, through messages and collectives in functions: the tangents of the outputs say what they must be. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>

void __enzyme_autodiff(void *, ...);
void __enzyme_fwddiff(void *, ...);
int enzyme_dup, enzyme_const, enzyme_width;

enum { N = 5 };

static void exchange(MPI_Comm comm, const double *x, double *ghost, int n)
{
    int rank, size;
    MPI_Request requests[4];
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    int last = (rank + size - 1) % size, next = (rank + 1) % size;
    MPI_Irecv(&ghost[0], 1, MPI_DOUBLE, last, 1, comm, &requests[0]);
    MPI_Irecv(&ghost[1], 1, MPI_DOUBLE, next, 2, comm, &requests[1]);
    MPI_Isend(&x[n - 1], 1, MPI_DOUBLE, next, 1, comm, &requests[2]);
    MPI_Isend(&x[0], 1, MPI_DOUBLE, last, 2, comm, &requests[3]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
}

static void outputs(MPI_Comm comm, int n, const double *x, double *y)
{
    double ghost[2], sum = 0, all, high = x[0], highest;
    exchange(comm, x, ghost, n);
    for (int i = 0; i < n; i++) {
        double left = i > 0 ? x[i - 1] : ghost[0], right = i < n - 1 ? x[i + 1] : ghost[1];
        sum += x[i] * left * right;
        high = x[i] > high ? x[i] : high;
    }
    MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, comm);
    MPI_Allreduce(&high, &highest, 1, MPI_DOUBLE, MPI_MAX, comm);
    double mine[2] = {x[1], sum}, others[2];
    exchange(comm, mine, others, 2);
    MPI_Bcast(others, 2, MPI_DOUBLE, 0, comm);
    y[0] = all * x[0] + sin(highest);
    y[1] = others[0] * others[1] + x[2] * all;
}

int main(int argc, char **argv)
{
    int rank, bad = 0, any;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double x[N], dot[N], y[2], y_dot[2], bars[2][N] = {{0}}, mine[4] = {0}, all[4];
    double seeds[2][2] = {{1 + rank, 0}, {0.5, 2 - rank}}, given[2][2];
    for (int i = 0; i < N; i++) {
        x[i] = 0.8 + 0.3 * sin(1.7 * i + 2.3 * rank);
        dot[i] = cos(i + rank);
    }
    memcpy(given, seeds, sizeof given);
    __enzyme_fwddiff((void *)outputs, enzyme_const, MPI_COMM_WORLD, enzyme_const, N, enzyme_dup, x, dot, enzyme_dup, y, y_dot);
    __enzyme_autodiff((void *)outputs, enzyme_width, 2, enzyme_const, MPI_COMM_WORLD, enzyme_const, N, enzyme_dup, x, bars[0], bars[1],
                      enzyme_dup, y, seeds[0], seeds[1]);
    for (int k = 0; k < 2; k++) {
        mine[2 * k] = given[k][0] * y_dot[0] + given[k][1] * y_dot[1];
        for (int i = 0; i < N; i++)
            mine[2 * k + 1] += bars[k][i] * dot[i];
    }
    MPI_Allreduce(mine, all, 4, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    for (int k = 0; k < 4; k += 2)
        if (!(fabs(all[k] - all[k + 1]) <= 1e-10 * (1 + fabs(all[k]))) || all[k] == 0) {
            printf("seed %d: %.10g, not %.10g\n", k / 2, all[k + 1], all[k]);
            bad = 1;
        }
    MPI_Allreduce(&bad, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Finalize();
    return any;
}
