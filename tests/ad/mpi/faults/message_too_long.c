// ranks: 2
// fails: MPI_ERR_TRUNCATE
/* A message that is longer than the receiver allows is an error of MPI in the forward sweep; the reverse sweep does not begin. */
#include <mpi.h>

double __enzyme_autodiff(void *, ...);

static double objective(double *x, int rank)
{
    double y[2] = {0, 0};
    if (rank == 0)
        MPI_Send(x, 4, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
    else
        MPI_Recv(y, 2, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return y[0] * y[1];
}

int main(int argc, char **argv)
{
    double x[4] = {1, 2, 3, 4}, bar[4] = {0};
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    __enzyme_autodiff((void *)objective, x, bar, rank);
    MPI_Finalize();
    return 0;
}
