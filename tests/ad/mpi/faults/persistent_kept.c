// ranks: 1
// fails: by a derivative that is over
/* A persistent request that is kept from one derivative to the next, where its buffer has another shadow. */
#include <mpi.h>

double __enzyme_autodiff(void *, ...);

static MPI_Request requests[2];
static int is_ready;
static double received;

static double objective(double *x)
{
    if (!is_ready) {
        MPI_Recv_init(&received, 1, MPI_DOUBLE, 0, 0, MPI_COMM_SELF, &requests[0]);
        MPI_Send_init(x, 1, MPI_DOUBLE, 0, 0, MPI_COMM_SELF, &requests[1]);
        is_ready = 1;
    }
    MPI_Startall(2, requests);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    return received * received;
}

int main(int argc, char **argv)
{
    double x[1] = {3}, bar[1] = {0}, other[1] = {0};
    MPI_Init(&argc, &argv);
    __enzyme_autodiff((void *)objective, x, bar);
    __enzyme_autodiff((void *)objective, x, other);
    MPI_Finalize();
    return bar[0] == 6 && other[0] == 6 ? 0 : 2;
}
