// flags: -fopenmp
/* Threads that communicate at the same time (MPI_THREAD_MULTIPLE). */
#include <math.h>
#include <mpi.h>
#include <stdio.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

enum { N = 16 };
static int rank, size;

/* Every thread has its own tags; then all send the same number with the same tag, and who gets which message does not matter. */
static double objective(double *x)
{
    double s = 0;
    int next = (rank + 1) % size, before = (rank + size - 1) % size;
#pragma omp parallel for num_threads(2) reduction(+ : s) schedule(static)
    for (int i = 0; i < N; i++) {
        double in[2];
        MPI_Sendrecv(&x[i], 1, MPI_DOUBLE, next, i, &in[0], 1, MPI_DOUBLE, before, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Request requests[2];
        MPI_Irecv(&in[1], 1, MPI_DOUBLE, before, 99, MPI_COMM_WORLD, &requests[0]);
        MPI_Isend(&x[0], 1, MPI_DOUBLE, next, 99, MPI_COMM_WORLD, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        s += in[0] * in[0] * x[i] * in[1];
    }
    return s;
}

/* What is differentiated: the sum over the ranks. */
static double total(double *x)
{
    double mine = objective(x), all;
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

int main(int argc, char **argv)
{
    double x[N], bar[N], dot[N], mine[2] = {0, 0}, all[2];
    int bad = 0, any;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &any);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < N; i++) {
        x[i] = 0.8 + 0.3 * sin(1.7 * i + 2.3 * rank + 0.4);
        dot[i] = cos(0.9 * i + 1.1 * rank);
        bar[i] = 0;
    }
    __enzyme_autodiff((void *)objective, x, bar);
    mine[0] = __enzyme_fwddiff((void *)objective, x, dot);
    for (int i = 0; i < N; i++)
        mine[1] += bar[i] * dot[i];
    for (int r = 0; r < size; r++)
        for (int i = 0; i < N; i += 3) {
            double h = 1e-6, at = x[i], up, down;
            x[i] = at + (r == rank ? h : 0);
            up = total(x);
            x[i] = at - (r == rank ? h : 0);
            down = total(x);
            x[i] = at;
            if (r == rank) {
                double numeric = (up - down) / (2 * h);
                if (!(fabs(bar[i] - numeric) <= 1e-6 * (1 + fabs(numeric)))) {
                    printf("rank %d: d/dx[%d] is %.10g, not %.10g\n", rank, i, bar[i], numeric);
                    bad = 1;
                }
            }
        }
    MPI_Allreduce(mine, all, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (!(fabs(all[0] - all[1]) <= 1e-10 * (1 + fabs(all[1])))) {
        printf("the tangent is %.10g, not %.10g\n", all[0], all[1]);
        bad = 1;
    }
    MPI_Allreduce(&bad, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Finalize();
    return any;
}
