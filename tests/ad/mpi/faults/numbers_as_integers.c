// ranks: 2
// fails: active numbers travel as integers
/* Active numbers in a collective of integers of their size: an error, no derivative without them. */
#include <mpi.h>

double __enzyme_autodiff(void *, ...);

static double objective(double *x)
{
    double y[2];
    y[0] = x[0] * x[0];
    y[1] = x[1] * x[0];
    MPI_Bcast(y, 2, MPI_LONG, 0, MPI_COMM_WORLD);
    return y[0] * y[1];
}

int main(int argc, char **argv)
{
    double x[2] = {1, 2}, bar[2] = {0, 0};
    MPI_Init(&argc, &argv);
    __enzyme_autodiff((void *)objective, x, bar);
    MPI_Finalize();
    return 0;
}
