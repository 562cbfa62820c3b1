/* Second order: the tangent of a gradient through blocking messages and collectives, against differences of the gradient. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>

double __enzyme_autodiff(void *, ...);
void __enzyme_fwddiff(void *, ...);

enum { N = 4 };
static int rank, size;

static double objective(double *x)
{
    double sum[N], high[N], got[N], s = 0;
    int next = (rank + 1) % size, last = (rank + size - 1) % size;
    for (int i = 0; i < N; i++)
        got[i] = x[i] * x[i] * x[i];
    MPI_Allreduce(got, sum, N, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(x, high, N, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    MPI_Bcast(got, 2, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    if (rank == 0 && size > 1)
        MPI_Send(&sum[0], 2, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
    if (rank == 1)
        MPI_Recv(&got[2], 2, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(sum, 2, MPI_DOUBLE, next, 1, got, 2, MPI_DOUBLE, last, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < N; i++)
        s += sin(sum[i]) * got[i] + high[i] * high[i] * x[i] * (rank + 1);
    return s;
}

static void gradient(double *x, double *bar)
{
    __enzyme_autodiff((void *)objective, x, bar);
}

int main(int argc, char **argv)
{
    double x[N], bar[N], bar_dot[N], dot[N], up[N], down[N], shifted[N], h = 1e-5;
    int bad = 0, any;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < N; i++) {
        x[i] = 0.8 + 0.3 * sin(1.7 * i + 2.3 * rank + 0.4);
        dot[i] = cos(0.9 * i + 1.1 * rank);
        bar[i] = bar_dot[i] = up[i] = down[i] = 0;
    }
    __enzyme_fwddiff((void *)gradient, x, dot, bar, bar_dot);
    for (int i = 0; i < N; i++)
        shifted[i] = x[i] + h * dot[i];
    gradient(shifted, up);
    for (int i = 0; i < N; i++)
        shifted[i] = x[i] - h * dot[i];
    gradient(shifted, down);
    for (int i = 0; i < N; i++) {
        double numeric = (up[i] - down[i]) / (2 * h);
        if (!(fabs(bar_dot[i] - numeric) <= 1e-6 * (1 + fabs(numeric)))) {
            printf("rank %d: the second derivative %d is %.10g, not %.10g\n", rank, i, bar_dot[i], numeric);
            bad = 1;
        }
    }
    MPI_Allreduce(&bad, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Finalize();
    return any;
}
