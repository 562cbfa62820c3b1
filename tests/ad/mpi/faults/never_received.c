// ranks: 2,3
// fails: with tag 7 was never received in a derivative
/* A small message that nobody receives: MPI lets it pass, but its adjoint never comes. */
#include <mpi.h>
#include <stdio.h>

double __enzyme_autodiff(void *, ...);

static double objective(double *x)
{
    int rank;
    double y[2] = {0, 0};
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Send(x, 2, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
        MPI_Send(x + 1, 1, MPI_DOUBLE, 1, 7, MPI_COMM_WORLD);
    }
    if (rank == 1)
        MPI_Recv(y, 2, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return x[0] * x[1] + y[0] * y[1];
}

int main(int argc, char **argv)
{
    double x[2] = {1, 2}, bar[2] = {0, 0};
    MPI_Init(&argc, &argv);
    __enzyme_autodiff((void *)objective, x, bar);
    MPI_Finalize();
    return 0;
}
