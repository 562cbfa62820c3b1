/* A whole program as a function: MPI begins and ends in what is differentiated. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>

double __enzyme_autodiff(void *, ...);

enum { N = 7 };
static int rank, size;

static double run(const double *x, int n)
{
    double sum = 0, all, from_left = 0;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = rank; i < n; i += size)
        sum += x[i] * x[i] * (i + 1);
    MPI_Sendrecv(&x[n - 1], 1, MPI_DOUBLE, (rank + 1) % size, 0, &from_left, 1, MPI_DOUBLE, (rank + size - 1) % size, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return (rank == 0 ? all * all : 0) + from_left * from_left;
}

int main(void)
{
    double x[N], bar[N] = {0}, sum = 0;
    int bad = 0, finalized = 0;
    for (int i = 0; i < N; i++) {
        x[i] = 0.5 + 0.25 * i;
        sum += x[i] * x[i] * (i + 1);
    }
    __enzyme_autodiff((void *)run, x, bar, N);
    MPI_Finalized(&finalized);
    for (int i = 0; i < N; i++) {
        double expected = (i % size == rank ? 4 * sum * x[i] * (i + 1) : 0) + (i == N - 1 ? 2 * x[i] : 0);
        if (!(fabs(bar[i] - expected) <= 1e-12 * (1 + fabs(expected)))) {
            printf("rank %d: d/dx[%d] is %.10g, not %.10g\n", rank, i, bar[i], expected);
            bad = 1;
        }
    }
    return bad || !finalized;
}
