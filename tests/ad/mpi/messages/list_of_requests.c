/* A communicator, requests that wait and copies of what is sent, in a struct on the heap; the lists grow. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

enum { N = 4 };
static int rank, size;

typedef struct {
    MPI_Comm comm;
    int rank, size, count, room;
    MPI_Request *requests;
    void **blocks;
} messages;

static void keep(messages *m, MPI_Request request, void *block)
{
    if (m->count == m->room) {
        m->room = m->room > 0 ? 2 * m->room : 1;
        m->requests = realloc(m->requests, (size_t)m->room * sizeof *m->requests);
        m->blocks = realloc(m->blocks, (size_t)m->room * sizeof *m->blocks);
    }
    m->requests[m->count] = request;
    m->blocks[m->count++] = block;
}

static void send(messages *m, const double *from, int count, int to)
{
    double *copy = malloc((size_t)count * sizeof *copy);
    MPI_Request request;
    memcpy(copy, from, (size_t)count * sizeof *copy);
    MPI_Isend(copy, count, MPI_DOUBLE, to, count, m->comm, &request);
    keep(m, request, copy);
}

static void receive(messages *m, double *to, int count, int from)
{
    MPI_Request request;
    MPI_Irecv(to, count, MPI_DOUBLE, from, count, m->comm, &request);
    keep(m, request, NULL);
}

static void finish(messages *m)
{
    MPI_Waitall(m->count, m->requests, MPI_STATUSES_IGNORE);
    while (m->count > 0)
        free(m->blocks[--m->count]);
}

static double objective(double *x)
{
    double in[3] = {0}, back[2], out[3], s = 0;
    messages *m = calloc(1, sizeof *m);
    MPI_Comm_dup(MPI_COMM_WORLD, &m->comm);
    MPI_Comm_rank(m->comm, &m->rank);
    MPI_Comm_size(m->comm, &m->size);
    int next = (m->rank + 1) % m->size, before = (m->rank + m->size - 1) % m->size;
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < 3; i++)
            out[i] = x[i + k] * (1 + in[i]);
        receive(m, in, 3, before);
        receive(m, back, 2, next);
        send(m, out, 3, next);
        send(m, out + 1, 2, before);
        out[0] = 0;
        finish(m);
        s += in[0] * back[0] + in[2] * back[1] * x[3];
    }
    MPI_Comm_free(&m->comm);
    free(m->requests);
    free(m->blocks);
    free(m);
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
