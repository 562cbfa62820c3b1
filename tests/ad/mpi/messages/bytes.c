/* Numbers that travel as MPI_BYTE: structs with numbers, integers and pointers, arrays, and bytes that are none. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

enum { N = 6 };
static int rank, size;

typedef struct { int id; double pos[3]; char name[5]; float w; double *own; } Particle;
typedef struct { int steps; double dt, k[2]; } Params;

static __attribute__((noinline)) void send_raw(const void *p, size_t n, int to) { MPI_Send(p, (int)n, MPI_BYTE, to, 9, MPI_COMM_WORLD); }
static __attribute__((noinline)) void recv_raw(void *p, size_t n, int from) { MPI_Recv(p, (int)n, MPI_BYTE, from, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }
static double objective(double *x)
{
    Particle a[2], b[2];
    double s = 0;
    memset(a, 0, sizeof a); memset(b, 0, sizeof b);
    for (int i = 0; i < 2; i++) {
        a[i].id = rank * 2 + i;
        for (int k = 0; k < 3; k++) a[i].pos[k] = x[i * 3 + k] * x[k];
        a[i].w = 0.5f;
        a[i].own = x;
    }
    MPI_Request r[2];
    MPI_Irecv(b, sizeof b, MPI_BYTE, (rank + size - 1) % size, 0, MPI_COMM_WORLD, &r[0]);
    MPI_Isend(a, sizeof a, MPI_BYTE, (rank + 1) % size, 0, MPI_COMM_WORLD, &r[1]);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    for (int i = 0; i < 2; i++) { b[i].own = x; s += b[i].pos[0] * b[i].pos[1] + sin(b[i].pos[2]) * b[i].w + b[i].own[0] * b[i].id; }
    Params p = {0, 0, {0, 0}};
    if (rank == 0) { p.steps = 3; p.dt = x[0]; p.k[0] = x[1] * x[2]; p.k[1] = 2; }
    MPI_Bcast(&p, sizeof p, MPI_BYTE, 0, MPI_COMM_WORLD);
    for (int t = 0; t < p.steps; t++) s += p.dt * p.k[0] * x[t] + p.k[1];
    double g[2 * 16];
    MPI_Allgather(x, 2 * sizeof(double), MPI_BYTE, g, 2 * sizeof(double), MPI_BYTE, MPI_COMM_WORLD);
    for (int i = 0; i < 2 * size; i++) s += g[i] * g[i] * (i + 1);
    int header[2] = {rank, 7}, got[2];
    MPI_Sendrecv(header, sizeof header, MPI_BYTE, (rank + 1) % size, 1, got, sizeof got, MPI_BYTE, (rank + size - 1) % size, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    s += x[got[1] % N] * got[0];
    if (size > 1 && rank < 2) { int h = 4; if (rank == 0) send_raw(&h, sizeof h, 1); else { recv_raw(&h, sizeof h, 0); s += x[h]; } }
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
