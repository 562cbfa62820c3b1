// ranks: 1
// fails: its buffer may be part of an argument
/* A persistent request that was made before, of memory on the stack that may belong to the argument or not. */
#include <mpi.h>

double __enzyme_autodiff(void *, ...);

static MPI_Request requests[2];

static double objective(double *x)
{
    MPI_Startall(2, requests);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    return x[1] * x[1];
}

int main(int argc, char **argv)
{
    double x[2] = {3, 4}, bar[2] = {0, 0};
    MPI_Init(&argc, &argv);
    MPI_Recv_init(&x[1], 1, MPI_DOUBLE, 0, 0, MPI_COMM_SELF, &requests[0]);
    MPI_Send_init(&x[0], 1, MPI_DOUBLE, 0, 0, MPI_COMM_SELF, &requests[1]);
    __enzyme_autodiff((void *)objective, x, bar);
    MPI_Finalize();
    return 0;
}
