/* Non-blocking collectives of neighbours in a graph, with different counts. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

enum { N = 12 };
static int rank, size;

static double objective(double *x)
{
    /* every rank sends to the next two */
    int to[2] = {(rank + 1) % size, (rank + 2) % size}, from[2] = {(rank + size - 1) % size, (rank + 2 * size - 2) % size};
    int weights[2] = {1, 1};
    MPI_Comm g;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, from, weights, 2, to, weights, MPI_INFO_NULL, 0, &g);
    int sc[2] = {1, 2}, sd[2] = {0, 3}, rc[2] = {1, 2}, rd[2] = {2, 0};
    double in[3], more[6], s = 0;
    MPI_Request q[2];
    MPI_Ineighbor_alltoallv(x, sc, sd, MPI_DOUBLE, in, rc, rd, MPI_DOUBLE, g, &q[0]);
    int mc[2] = {2, 2}, md[2] = {4, 0};
    more[2] = more[3] = 1;
    MPI_Ineighbor_allgatherv(x + 6, 2, MPI_DOUBLE, more, mc, md, MPI_DOUBLE, g, &q[1]);
    MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
    for (int i = 0; i < 3; i++)
        s += sin(in[i]) * (i + 1) * x[i];
    for (int i = 0; i < 6; i++)
        s += more[i] * more[i] * (i + 1);
    MPI_Comm_free(&g);
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
