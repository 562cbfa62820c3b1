/* Numbers in bytes of which no type says anything: buffers of characters that are only made to be sent, wrappers with `void *`, datatypes of bytes, characters, and what was packed, in
 * messages and in collectives. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

enum { N = 6 };
static int rank, size;

typedef struct { int id, kind; double r, p; } Atom;
typedef struct { double x, v; int id; float m; } Particle;

/* Atoms are written to a buffer of bytes, and read from one. */
static __attribute__((noinline)) int load(void *buffer, const double *x)
{
    Atom *a = buffer;
    for (int i = 0; i < N / 2; i++) { a[i].id = i; a[i].kind = 1; a[i].r = x[2 * i]; a[i].p = x[2 * i + 1] * x[0]; }
    return N / 2 * (int)sizeof(Atom);
}
static __attribute__((noinline)) double unload(const void *buffer, int bytes)
{
    const Atom *a = buffer;
    double s = 0;
    for (int i = 0; i < bytes / (int)sizeof(Atom); i++) s += a[i].r * a[i].p * (a[i].id + a[i].kind);
    return s;
}
static int exchange(void *out, int bytes, void *in, int room)
{
    MPI_Status status;
    int got;
    MPI_Sendrecv(out, bytes, MPI_BYTE, (rank + 1) % size, 0, in, room, MPI_BYTE, (rank + size - 1) % size, 0, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_BYTE, &got);
    return got;
}
static void shift(void *p, size_t bytes) { MPI_Sendrecv_replace(p, (int)bytes, MPI_CHAR, (rank + 1) % size, 3, (rank + size - 1) % size, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }
static void collect(void *from, void *to, int bytes) { MPI_Gather(from, bytes, MPI_BYTE, to, bytes, MPI_BYTE, 0, MPI_COMM_WORLD); }
static void deal_out(void *from, void *to, int bytes) { MPI_Scatter(from, bytes, MPI_BYTE, to, bytes, MPI_BYTE, 0, MPI_COMM_WORLD); }

static double particles(double *x)
{
    MPI_Datatype type;
    Particle out[3], in[3], *all = malloc(3 * (size_t)size * sizeof *all);
    double s = 0;
    MPI_Type_contiguous(sizeof(Particle), MPI_BYTE, &type);
    MPI_Type_commit(&type);
    for (int i = 0; i < 3; i++) { memset(&out[i], 0, sizeof out[i]); out[i].x = x[2 * i]; out[i].v = x[2 * i + 1]; out[i].id = i; out[i].m = 1; }
    MPI_Sendrecv(out, 3, type, (rank + 1) % size, 1, in, 3, type, (rank + size - 1) % size, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Allgather(in, 3, type, all, 3, type, MPI_COMM_WORLD);
    MPI_Type_free(&type);
    for (int i = 0; i < 3 * size; i++) s += all[i].x * all[i].x * all[i].v * (all[i].id + 1) * all[i].m;
    for (int i = 0; i < 3; i++) s += out[i].x * out[i].v;
    free(all);
    return s;
}

static double packed(double *x)
{
    char buffer[64];
    int at = 0, k = 0;
    double a = 0;
    if (rank == 0) {
        a = x[0] * x[1];
        k = 3;
        MPI_Pack(&k, 1, MPI_INT, buffer, sizeof buffer, &at, MPI_COMM_WORLD);
        MPI_Pack(&a, 1, MPI_DOUBLE, buffer, sizeof buffer, &at, MPI_COMM_WORLD);
    }
    MPI_Bcast(&at, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(buffer, at, MPI_PACKED, 0, MPI_COMM_WORLD);
    if (rank != 0) {
        int from = 0;
        MPI_Unpack(buffer, at, &from, &k, 1, MPI_INT, MPI_COMM_WORLD);
        MPI_Unpack(buffer, at, &from, &a, 1, MPI_DOUBLE, MPI_COMM_WORLD);
    }
    return a * x[2] * k;
}

static double objective(double *x)
{
    char *out = malloc(1024), *in = malloc(1024), *all = malloc(8 * N * (size_t)size);
    double s = unload(in, exchange(out, load(out, x), in, 1024)), *own = malloc(8 * N);
    for (int i = 0; i < N; i++) own[i] = x[i] * x[i];
    shift(own, 8 * N);
    collect(own, all, 8 * N);
    for (int i = 0; rank == 0 && i < N * size; i++) ((double *)all)[i] *= ((double *)all)[(i + 1) % (N * size)];
    deal_out(all, own, 8 * N);
    for (int i = 0; i < N; i++) s += own[i] * x[i];
    free(own); free(out); free(in); free(all);
    return s + particles(x) + packed(x);
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
