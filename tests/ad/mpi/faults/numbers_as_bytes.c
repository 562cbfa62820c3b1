// ranks: 3
// fails: MPI_BYTE
/* Active numbers that travel as bytes, in a buffer of bytes: where the numbers are cannot be known, so the adjoints of two ranks cannot be added. */
#include <mpi.h>
#include <string.h>

double __enzyme_autodiff(void *, ...);

static double objective(double *x)
{
    double y[2];
    y[0] = x[0] * x[0];
    y[1] = x[1] * x[0];
    char bytes[sizeof y];
    memcpy(bytes, y, sizeof y);
    MPI_Bcast(bytes, sizeof bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
    memcpy(y, bytes, sizeof y);
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
