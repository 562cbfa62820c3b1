/* MPI_Startall with the other kinds of persistent sends. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

enum { N = 4 };
static int rank, size;

static double objective(double *x)
{
    int next = (rank + 1) % size, last = (rank + size - 1) % size;
    double out[3], in[3], s = 0;
    MPI_Request requests[6];
    MPI_Recv_init(&in[0], 1, MPI_DOUBLE, last, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Recv_init(&in[1], 1, MPI_DOUBLE, last, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Recv_init(&in[2], 1, MPI_DOUBLE, last, 2, MPI_COMM_WORLD, &requests[2]);
    MPI_Send_init(&out[0], 1, MPI_DOUBLE, next, 0, MPI_COMM_WORLD, &requests[3]);
    MPI_Ssend_init(&out[1], 1, MPI_DOUBLE, next, 1, MPI_COMM_WORLD, &requests[4]);
    MPI_Bsend_init(&out[2], 1, MPI_DOUBLE, next, 2, MPI_COMM_WORLD, &requests[5]);
    for (int i = 0; i < 3; i++)
        out[i] = x[i];
    for (int k = 0; k < 3; k++) {
        MPI_Startall(6, requests);
        MPI_Waitall(6, requests, MPI_STATUSES_IGNORE);
        for (int i = 0; i < 3; i++)
            out[i] = in[i] * cos(in[(i + 1) % 3]) + x[3];
    }
    for (int i = 0; i < 6; i++)
        MPI_Request_free(&requests[i]);
    for (int i = 0; i < 3; i++)
        s += out[i] * out[i];
    return s;
}
static char space[4096];

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
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Buffer_attach(space, sizeof space);
    for (int i = 0; i < N; i++) {
        x[i] = 0.8 + 0.3 * sin(1.7 * i + 2.3 * rank + 0.4);
        dot[i] = cos(0.9 * i + 1.1 * rank);
        bar[i] = 0;
    }
    __enzyme_autodiff((void *)objective, x, bar);
    mine[0] = __enzyme_fwddiff((void *)objective, x, dot);
    for (int r = 0; r < size; r++)
        for (int i = 0; i < N; i++) {
            double h = 1e-6, at = x[i], up, down;
            x[i] = at + (r == rank ? h : 0);
            up = total(x);
            x[i] = at - (r == rank ? h : 0);
            down = total(x);
            x[i] = at;
            if (r == rank) {
                double numeric = (up - down) / (2 * h);
                mine[1] += bar[i] * dot[i];
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
    void *used;
    int bytes;
    MPI_Buffer_detach(&used, &bytes);
    MPI_Finalize();
    return any;
}
