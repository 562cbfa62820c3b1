// ranks: 3
// fails:
/* A rank that leaves between the gradient's calls. */
#include <mpi.h>
#include <stdlib.h>

double __enzyme_autodiff(void *, ...);

static double objective(double *x, int rank)
{
    double sum;
    MPI_Allreduce(x, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 2)
        exit(5);
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
