/* A communicator, its rank and size and a status in a struct that leads to active memory. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

enum { N = 4 };
static int rank, size;

/* Rank and size are written by the library into a struct that also leads to active memory. */
struct mesh {
    int count, rank, size;
    double *halo;
    MPI_Comm communicator;
    MPI_Status status;
};

static void open_mesh(struct mesh *m, MPI_Comm communicator, double *halo)
{
    MPI_Comm_dup(communicator, &m->communicator);
    MPI_Comm_rank(m->communicator, &m->rank);
    MPI_Comm_size(m->communicator, &m->size);
    m->count = N;
    m->halo = halo;
}

static void exchange(struct mesh *m, const double *p)
{
    int left = m->rank > 0 ? m->rank - 1 : MPI_PROC_NULL, right = m->rank + 1 < m->size ? m->rank + 1 : MPI_PROC_NULL;
    MPI_Request request;
    m->halo[0] = m->halo[1] = 0.5;
    MPI_Irecv(&m->halo[0], 1, MPI_DOUBLE, left, 9, m->communicator, &request);
    MPI_Send(p + m->count - 1, 1, MPI_DOUBLE, right, 9, m->communicator);
    MPI_Wait(&request, &m->status);
    MPI_Sendrecv(p, 1, MPI_DOUBLE, left, 8, &m->halo[1], 1, MPI_DOUBLE, right, 8, m->communicator, &m->status);
}

static double objective(double *x)
{
    struct mesh m;
    double halo[2], y[N], s = 0, all;
    open_mesh(&m, MPI_COMM_WORLD, halo);
    for (int t = 0; t < 3; t++) {
        exchange(&m, x);
        for (int i = 0; i < m.count; i++)
            y[i] = 0.5 * x[i] + 0.3 * (i > 0 ? x[i - 1] : m.halo[0]) * (i + 1 < m.count ? x[i + 1] : m.halo[1]);
        for (int i = 0; i < m.count; i++)
            x[i] = y[i];
    }
    for (int i = 0; i < m.count; i++)
        s += x[i] * x[i] * (m.rank + 1);
    MPI_Allreduce(&s, &all, 1, MPI_DOUBLE, MPI_SUM, m.communicator);
    MPI_Comm_free(&m.communicator);
    return all * y[0];
}

/* What is differentiated: the sum over the ranks. */
static double total(double *x)
{
    double copy[N], all;
    for (int i = 0; i < N; i++)
        copy[i] = x[i];
    double mine = objective(copy);
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
    double copy[2][N], tangent[N];
    for (int i = 0; i < N; i++) {
        copy[0][i] = copy[1][i] = x[i];
        tangent[i] = dot[i];
    }
    __enzyme_autodiff((void *)objective, copy[0], bar);
    mine[0] = __enzyme_fwddiff((void *)objective, copy[1], tangent);
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
