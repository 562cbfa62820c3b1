/* Persistent requests that the program makes before it asks for derivatives: their buffers are a variable, heap memory behind a pointer at file scope, and parts of the argument. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

enum { N = 4 };
static int rank, size, is_ready;

static struct {
    int count;
    double send[2], receive[2];
    MPI_Request requests[2];
} edge;
static double *out, *in;
static MPI_Request between[2], itself[2], kept[2];
static double kept_out, kept_in;

static void prepare(double *x)
{
    int next = (rank + 1) % size, last = (rank + size - 1) % size;
    out = malloc(3 * sizeof *out);
    in = malloc(3 * sizeof *in);
    MPI_Send_init(edge.send, 2, MPI_DOUBLE, next, 0, MPI_COMM_WORLD, &edge.requests[0]);
    MPI_Recv_init(edge.receive, 2, MPI_DOUBLE, last, 0, MPI_COMM_WORLD, &edge.requests[1]);
    MPI_Send_init(out + 1, 2, MPI_DOUBLE, last, 1, MPI_COMM_WORLD, &between[0]);
    MPI_Recv_init(in, 2, MPI_DOUBLE, next, 1, MPI_COMM_WORLD, &between[1]);
    MPI_Send_init(x + 2, 1, MPI_DOUBLE, next, 2, MPI_COMM_WORLD, &itself[0]);
    MPI_Recv_init(x + 3, 1, MPI_DOUBLE, last, 2, MPI_COMM_WORLD, &itself[1]);
}

/* Those of a variable at file scope are made when they are needed first, which is before any derivative. */
static void prepare_once(void)
{
    if (is_ready)
        return;
    is_ready = 1;
    MPI_Send_init(&kept_out, 1, MPI_DOUBLE, (rank + 1) % size, 3, MPI_COMM_WORLD, &kept[0]);
    MPI_Recv_init(&kept_in, 1, MPI_DOUBLE, (rank + size - 1) % size, 3, MPI_COMM_WORLD, &kept[1]);
}

static void exchange(int k, const double *x)
{
    edge.send[0] = x[0] * x[k];
    edge.send[1] = sin(x[1]);
    MPI_Startall(2, edge.requests);
    out[1] = x[2] * edge.send[0];
    out[2] = x[k];
    MPI_Waitall(2, edge.requests, MPI_STATUSES_IGNORE);
    MPI_Start(&between[1]);
    MPI_Start(&between[0]);
    MPI_Wait(&between[0], MPI_STATUS_IGNORE);
    MPI_Wait(&between[1], MPI_STATUS_IGNORE);
}

static double objective(double *x)
{
    double s = 0;
    prepare_once();
    for (int k = 0; k < 3; k++) {
        exchange(k, x);
        s += edge.receive[0] * edge.receive[1] * x[k] + in[0] * in[1];
        x[2] *= 0.9 + 0.1 * in[0];
        MPI_Startall(2, itself);
        MPI_Waitall(2, itself, MPI_STATUSES_IGNORE);
        kept_out = x[3] * x[1];
        MPI_Startall(2, kept);
        MPI_Waitall(2, kept, MPI_STATUSES_IGNORE);
        s += kept_in * kept_in;
    }
    return s;
}

/* What is differentiated: the sum over the ranks. */
static double total(double *x)
{
    double last[2] = {x[2], x[3]}, mine = objective(x), all;
    x[2] = last[0];
    x[3] = last[1];
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

int main(int argc, char **argv)
{
    double *x = malloc(N * sizeof *x), bar[N], dot[N], mine[2] = {0, 0}, all[2];
    int bad = 0, any;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < N; i++) {
        x[i] = 0.8 + 0.3 * sin(1.7 * i + 2.3 * rank + 0.4);
        dot[i] = cos(0.9 * i + 1.1 * rank);
        bar[i] = 0;
    }
    double last[2] = {x[2], x[3]}, seed[N];
    prepare(x);
    total(x);
    __enzyme_autodiff((void *)objective, x, bar);
    for (int i = 0; i < N; i++) {
        seed[i] = dot[i];
        x[i] = i < 2 ? x[i] : last[i - 2];
    }
    mine[0] = __enzyme_fwddiff((void *)objective, x, seed);
    x[2] = last[0];
    x[3] = last[1];
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
    for (int k = 0; k < 2; k++) {
        MPI_Request_free(&edge.requests[k]);
        MPI_Request_free(&between[k]);
        MPI_Request_free(&itself[k]);
        MPI_Request_free(&kept[k]);
    }
    free(x);
    free(out);
    free(in);
    MPI_Finalize();
    return any;
}
