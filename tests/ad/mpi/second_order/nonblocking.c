/* Second order: the tangent of a gradient through non-blocking messages and collectives, against differences of the gradient. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>

double __enzyme_autodiff(void *, ...);
void __enzyme_fwddiff(void *, ...);

enum { N = 4 };
static int rank, size;

static double objective(double *x)
{
    double u[N + 2], sum, mine = 0, low[N], s = 0;
    int next = (rank + 1) % size, last = (rank + size - 1) % size;
    for (int i = 0; i < N; i++)
        u[i + 1] = x[i] * x[i];
    for (int step = 0; step < 3; step++) {
        MPI_Request requests[5], other;
        MPI_Irecv(&u[0], 1, MPI_DOUBLE, last, 0, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(&u[N + 1], 1, MPI_DOUBLE, next, 1, MPI_COMM_WORLD, &requests[1]);
        MPI_Isend(&u[N], 1, MPI_DOUBLE, next, 0, MPI_COMM_WORLD, &requests[2]);
        MPI_Isend(&u[1], 1, MPI_DOUBLE, last, 1, MPI_COMM_WORLD, &requests[3]);
        mine = 0;
        for (int i = 1; i <= N; i++)
            mine += u[i] * u[i];
        MPI_Iallreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &requests[4]);
        MPI_Iallreduce(x, low, N, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD, &other);
        MPI_Waitall(5, requests, MPI_STATUSES_IGNORE);
        MPI_Wait(&other, MPI_STATUS_IGNORE);
        double v[N + 2];
        for (int i = 1; i <= N; i++)
            v[i] = u[i] + 0.1 * sin(u[i - 1] * u[i + 1]) / sum + low[i - 1] * x[i - 1];
        for (int i = 1; i <= N; i++)
            u[i] = v[i];
    }
    for (int i = 1; i <= N; i++)
        s += u[i] * u[i] * u[i];
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
