// ranks: 2
// says: got an adjoint from rank 1 for a message that it sent outside of a derivative, or not as numbers
/* Numbers that are sent as integers and received as numbers, which MPI forbids but does not see: the sender is told that an adjoint is lost. */
#include <mpi.h>

double __enzyme_autodiff(void *, ...);

static double objective(double *x)
{
    int rank;
    double y = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Send(x, 2, MPI_INT, 1, 0, MPI_COMM_WORLD);
    else
        MPI_Recv(&y, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return y * y;
}

int main(int argc, char **argv)
{
    double x[1] = {3}, bar[1] = {0};
    MPI_Init(&argc, &argv);
    __enzyme_autodiff((void *)objective, x, bar);
    MPI_Finalize();
    return 0;
}
