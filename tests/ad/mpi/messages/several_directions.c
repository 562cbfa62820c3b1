/* Forward mode in three directions at once: messages, collectives, persistent requests. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    double of[3];
} tangents;
tangents __enzyme_fwddiff_three(void *, ...);
double __enzyme_fwddiff(void *, ...);
int enzyme_width, enzyme_dup;

enum { N = 4 };
static int rank, size;

static double objective(double *x)
{
    int next = (rank + 1) % size, before = (rank + size - 1) % size;
    double in[4], back[2], product[2], s = 0, all, largest, y[2] = {x[2] * x[0], x[3]};
    MPI_Request requests[3], again[2];
    MPI_Irecv(in, 2, MPI_DOUBLE, before, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(x, 2, MPI_DOUBLE, next, 0, MPI_COMM_WORLD, &requests[1]);
    MPI_Iallreduce(y, product, 2, MPI_DOUBLE, MPI_PROD, MPI_COMM_WORLD, &requests[2]);
    MPI_Sendrecv(&x[2], 2, MPI_DOUBLE, next, 1, &in[2], 2, MPI_DOUBLE, before, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    MPI_Recv_init(back, 2, MPI_DOUBLE, next, 2, MPI_COMM_WORLD, &again[0]);
    MPI_Send_init(in, 2, MPI_DOUBLE, before, 2, MPI_COMM_WORLD, &again[1]);
    for (int k = 0; k < 2; k++) {
        MPI_Startall(2, again);
        MPI_Waitall(2, again, MPI_STATUSES_IGNORE);
        for (int i = 0; i < 4; i++)
            s += in[i] * in[i] * x[i] * back[i % 2];
        in[0] *= x[1];
    }
    MPI_Request_free(&again[0]);
    MPI_Request_free(&again[1]);
    MPI_Allreduce(&s, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(&x[1], &largest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    MPI_Bcast(&s, 1, MPI_DOUBLE, size - 1, MPI_COMM_WORLD);
    return s * all + product[0] * product[1] + largest * largest;
}

int main(int argc, char **argv)
{
    double x[N], dot[3][N];
    int bad = 0, any;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < N; i++) {
        x[i] = 0.8 + 0.3 * sin(1.7 * i + 2.3 * rank + 0.4);
        for (int d = 0; d < 3; d++)
            dot[d][i] = cos(0.9 * i + 1.1 * rank + d);
    }
    tangents all = __enzyme_fwddiff_three((void *)objective, enzyme_width, 3, enzyme_dup, x, dot[0], dot[1], dot[2]);
    for (int d = 0; d < 3; d++) {
        double one = __enzyme_fwddiff((void *)objective, enzyme_dup, x, dot[d]);
        if (!(fabs(all.of[d] - one) <= 1e-12 * (1 + fabs(one)))) {
            printf("rank %d, direction %d: %.12g, not %.12g\n", rank, d, all.of[d], one);
            bad = 1;
        }
    }
    MPI_Allreduce(&bad, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Finalize();
    return any;
}
