// ranks: 2,3
// fails: with tag 5 was never received in a derivative
/* Every rank sends a message that nobody receives, and waits for its adjoint: they tell each other. */
#include <mpi.h>

double __enzyme_autodiff(void *, ...);

static double objective(double *x)
{
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Send(x, 2, MPI_DOUBLE, (rank + 1) % size, 5, MPI_COMM_WORLD);
    return x[0] * x[1];
}

int main(int argc, char **argv)
{
    double x[2] = {1, 2}, bar[2] = {0, 0};
    MPI_Init(&argc, &argv);
    __enzyme_autodiff((void *)objective, x, bar);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
