// ranks: 2
// fails: the second derivative of MPI_PROD
/* Products have a second derivative that is not there yet: the program says so. */
#include <mpi.h>

double __enzyme_autodiff(void *, ...);
void __enzyme_fwddiff(void *, ...);

static double objective(double *x)
{
    double product;
    MPI_Allreduce(x, &product, 1, MPI_DOUBLE, MPI_PROD, MPI_COMM_WORLD);
    return product * product;
}

static void gradient(double *x, double *bar)
{
    __enzyme_autodiff((void *)objective, x, bar);
}

int main(int argc, char **argv)
{
    double x = 2, dot = 1, bar = 0, bar_dot = 0;
    MPI_Init(&argc, &argv);
    __enzyme_fwddiff((void *)gradient, &x, &dot, &bar, &bar_dot);
    MPI_Finalize();
    return 0;
}
