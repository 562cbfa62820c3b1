// ranks: 3
// fails:
/* A rank that ends the program in the middle of a gradient takes the others with it, which wait in the reverse sweep or in the call. */
#include <mpi.h>

double __enzyme_autodiff(void *, ...);

static double objective(double *x, int rank)
{
    double sum;
    MPI_Allreduce(x, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 1)
        MPI_Abort(MPI_COMM_WORLD, 3);
    MPI_Allreduce(&sum, x, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return *x;
}

int main(int argc, char **argv)
{
    double x = 1, bar = 0;
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    __enzyme_autodiff((void *)objective, &x, &bar, rank);
    MPI_Finalize();
    return 0;
}
