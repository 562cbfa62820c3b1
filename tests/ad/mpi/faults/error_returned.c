// ranks: 2
// fails: adjoin: MPI_Recv on rank 1: MPI_ERR_TRUNCATE
/* The program wants errors returned, and goes on without what it did not receive; a derivative cannot: nobody knows what was sent. */
#include <mpi.h>

double __enzyme_autodiff(void *, ...);

static double objective(double *x, int rank)
{
    double y[2] = {0, 0};
    if (rank == 0)
        MPI_Send(x, 4, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
    else if (MPI_Recv(y, 2, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE) != MPI_SUCCESS)
        return x[0] * x[0];
    return y[0] * y[1];
}

int main(int argc, char **argv)
{
    double x[4] = {1, 2, 3, 4}, bar[4] = {0};
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    __enzyme_autodiff((void *)objective, x, bar, rank);
    MPI_Finalize();
    return 0;
}
