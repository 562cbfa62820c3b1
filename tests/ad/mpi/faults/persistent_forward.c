// ranks: 1
// fails: by a derivative that is over
/* The same in forward mode, where the buffers have other tangents, which are variables as well. */
#include <mpi.h>

double __enzyme_fwddiff(void *, ...);

static MPI_Request requests[2];
static int is_ready;
static double received, x[1] = {3}, dot[1] = {1}, other[1] = {2};

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
    MPI_Init(&argc, &argv);
    double first = __enzyme_fwddiff((void *)objective, x, dot), second = __enzyme_fwddiff((void *)objective, x, other);
    MPI_Finalize();
    return first == 6 && second == 12 ? 0 : 2;
}
