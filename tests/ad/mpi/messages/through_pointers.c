/* MPI functions behind pointers, in tables and structs, and by the names of the profiling interface: a layer that counts. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

enum { N = 4 };
static int rank, size;

typedef int (*sending)(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);

struct layer {
    sending send;
    int (*receive)(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
    int (*wait)(int, MPI_Request *, MPI_Status *);
    double (*clock)(void);
};

static struct {
    long calls, bytes;
    double seconds;
} counted;

/* The program's own, in front of the library's. */
int MPI_Allreduce(const void *from, void *to, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    int bytes, code;
    double start = PMPI_Wtime();
    PMPI_Type_size(type, &bytes);
    counted.calls++;
    counted.bytes += (long)n * bytes;
    code = PMPI_Allreduce(from, to, n, type, op, comm);
    counted.seconds += PMPI_Wtime() - start;
    return code;
}

static int counting(const void *from, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request)
{
    counted.calls++;
    return MPI_Isend(from, n, type, to, tag, comm, request);
}

static struct layer layer_of(int k)
{
    static const sending table[] = {MPI_Isend, counting, MPI_Issend};
    struct layer layer = {table[k % 3], MPI_Irecv, MPI_Waitall, MPI_Wtime};
    return layer;
}

static double objective(double *x)
{
    struct layer layer = layer_of(rank);
    double in[N], s = 0, all, start = layer.clock();
    MPI_Request requests[2];
    layer.receive(in, N, MPI_DOUBLE, (rank + size - 1) % size, 0, MPI_COMM_WORLD, &requests[0]);
    layer.send(x, N, MPI_DOUBLE, (rank + 1) % size, 0, MPI_COMM_WORLD, &requests[1]);
    layer.wait(2, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < N; i++)
        s += in[i] * in[i] * x[i];
    MPI_Allreduce(&s, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    PMPI_Bcast(in, 1, MPI_DOUBLE, size - 1, MPI_COMM_WORLD);
    return start > layer.clock() ? 0 : sin(all) + in[0] * x[1];
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
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
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
    MPI_Finalize();
    return any;
}
