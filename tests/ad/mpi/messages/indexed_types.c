/* MPI_Type_indexed, MPI_Type_create_subarray, and datatypes whose elements do not begin where the buffer does: neighbouring numbers in the middle, the integers of structs;
 * MPI_Type_create_darray. */
#include <math.h>
#include <mpi.h>
#include <stddef.h>
#include <stdio.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

enum { N = 4 };
static int rank, size;

struct cell {
    double value;
    int id;
};

/* The last cells are received from the neighbour; then all have the ids of the first rank. */
static double cells(const double *x, int next, int last)
{
    struct cell c[N];
    double v[2 * N], s = 0;
    int places[2] = {N, N + 1}, one = 1;
    MPI_Aint place = offsetof(struct cell, id);
    MPI_Datatype ghosts, id, ids;
    MPI_Request requests[2];
    MPI_Type_create_indexed_block(2, 1, places, MPI_DOUBLE, &ghosts);
    MPI_Type_create_hindexed(1, &one, &place, MPI_INT, &id);
    MPI_Type_create_resized(id, 0, sizeof *c, &ids);
    MPI_Type_commit(&ghosts);
    MPI_Type_commit(&id);
    MPI_Type_commit(&ids);
    for (int i = 0; i < 2 * N; i++)
        v[i] = x[i % N] * (i + 1);
    MPI_Irecv(v, 1, ghosts, last, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(v + 1, 2, MPI_DOUBLE, next, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < N; i++) {
        c[i].value = v[i] * v[i + N];
        c[i].id = rank + i;
    }
    MPI_Sendrecv_replace(c, N, ids, next, 2, last, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Bcast(c, N, ids, 0, MPI_COMM_WORLD);
    MPI_Bcast(&c[1], 1, id, size - 1, MPI_COMM_WORLD);
    for (int i = 0; i < N; i++)
        s += c[i].value * c[i].value * (1 + c[i].id);
    MPI_Type_free(&ghosts);
    MPI_Type_free(&id);
    MPI_Type_free(&ids);
    return s;
}

/* The first rank puts a matrix together, of which every rank has a share: rows in turn, columns in blocks. */
static double shares(const double *x)
{
    double mine[4], all[16], s = 0;
    int sizes[2] = {2 * size, 2}, kinds[2] = {MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_BLOCK};
    int blocks[2] = {1, MPI_DISTRIBUTE_DFLT_DARG}, grid[2] = {size, 1};
    for (int i = 0; i < 4; i++)
        mine[i] = x[i] * x[(i + 1) % N];
    MPI_Request request;
    MPI_Isend(mine, 4, MPI_DOUBLE, 0, 3, MPI_COMM_WORLD, &request);
    for (int r = 0; rank == 0 && r < size; r++) {
        MPI_Datatype share;
        MPI_Type_create_darray(size, r, 2, sizes, kinds, blocks, grid, MPI_ORDER_C, MPI_DOUBLE, &share);
        MPI_Type_commit(&share);
        MPI_Recv(all, 1, share, r, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Type_free(&share);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int i = 0; rank == 0 && i < 4 * size; i++)
        s += all[i] * all[i] * (i + 1);
    return s;
}

static double objective(double *x)
{
    int next = (rank + 1) % size, last = (rank + size - 1) % size;
    double a[16], b[16], s = 0;
    int lengths[2] = {1, 3}, places[2] = {2, 5};
    int whole[2] = {4, 4}, part[2] = {2, 2}, from[2] = {1, 2};
    MPI_Datatype some, block;
    MPI_Type_indexed(2, lengths, places, MPI_DOUBLE, &some);
    MPI_Type_create_subarray(2, whole, part, from, MPI_ORDER_C, MPI_DOUBLE, &block);
    MPI_Type_commit(&some);
    MPI_Type_commit(&block);
    for (int k = 0; k < 16; k++) {
        a[k] = x[k % N] * (k + 1);
        b[k] = x[k % N] * x[0];
    }
    MPI_Sendrecv(a, 1, some, next, 0, b, 1, block, last, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Type_free(&some);
    MPI_Type_free(&block);
    for (int k = 0; k < 16; k++)
        s += sin(b[k]) * k;
    return s + cells(x, next, last) + shares(x);
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
