/* MPI_Neighbor_alltoallw and MPI_Ineighbor_alltoallw: a datatype for each neighbour, some of which are missing. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

enum { N = 10 };
static int rank, size;

struct fields {
    double u[N];
    float v[N];
};

static double objective(double *x)
{
    int dims[2] = {0, 0}, per[2] = {0, 0};
    MPI_Comm cart;
    struct fields a, b, c;
    double s = 0;
    MPI_Dims_create(size, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, per, 0, &cart);
    for (int i = 0; i < N; i++) {
        a.u[i] = x[i] * x[i];
        a.v[i] = 0.25f * i;
        b.u[i] = c.u[i] = x[i];
        b.v[i] = c.v[i] = 0;
    }
    MPI_Datatype every_other, types[4];
    MPI_Type_vector(2, 1, 2, MPI_DOUBLE, &every_other);
    MPI_Type_commit(&every_other);
    /* To the left and up go two numbers each, the other way three, and a float. */
    MPI_Datatype to[4] = {every_other, MPI_DOUBLE, MPI_FLOAT, MPI_DOUBLE}, from[4] = {MPI_DOUBLE, every_other, MPI_DOUBLE, MPI_FLOAT};
    int n[4] = {1, 3, 1, 3}, m[4] = {3, 1, 3, 1};
    MPI_Aint out[4] = {8, 0, sizeof a.u, 16}, in[4] = {0, 24, 48, sizeof a.u + 4};
    MPI_Request request;
    MPI_Neighbor_alltoallw(&a, n, out, to, &b, m, in, from, cart);
    for (int k = 0; k < 4; k++) {
        types[k] = MPI_DOUBLE;
        n[k] = 2;
        out[k] = 16;
        in[k] = 16 * k;
    }
    MPI_Ineighbor_alltoallw(&a, n, out, types, &c, n, in, types, cart, &request);
    for (int i = 0; i < N; i++)
        s += b.u[i] * x[i] * (i + 1) + b.v[i];
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int i = 0; i < N; i++)
        s += c.u[i] * c.u[i] * x[N - 1 - i];
    MPI_Type_free(&every_other);
    MPI_Comm_free(&cart);
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
