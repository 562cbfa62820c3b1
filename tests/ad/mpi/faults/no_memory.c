// ranks: 2
// fails: out of memory
/* There is no memory for the messages of the reverse sweep. */
#define _DEFAULT_SOURCE
#include <mpi.h>
#include <stdlib.h>
#include <sys/resource.h>

double __enzyme_autodiff(void *, ...);

enum { N = 1 << 23 };
static double x[N], bar[N], sums[N], sums_bar[N];

static double objective(double *values, double *all)
{
    double s = 0;
    MPI_Allreduce(values, all, N, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < N; i++)
        s += all[i];
    return s;
}

int main(int argc, char **argv)
{
    struct rlimit limit = {400L << 20, 400L << 20};
    MPI_Init(&argc, &argv);
    MPI_Allreduce(x, sums, N, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    setrlimit(RLIMIT_DATA, &limit);
    __enzyme_autodiff((void *)objective, x, bar, sums, sums_bar);
    MPI_Finalize();
    return 0;
}
