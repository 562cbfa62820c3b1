/* Datatypes of several variables: by their distance from the first, as in textbooks, and by their addresses (MPI_BOTTOM). Their shadows lie elsewhere. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

enum { N = 4 };
static int rank, size;

static double shared, several[2];

/* A datatype of two numbers and an integer, wherever they are. */
static void build(double *a, double *b, int *n, MPI_Datatype *type)
{
    int lengths[3] = {1, 1, 1};
    MPI_Aint places[3] = {0, 0, 0}, start, address;
    MPI_Datatype types[3] = {MPI_DOUBLE, MPI_DOUBLE, MPI_INT};
    MPI_Get_address(a, &start);
    MPI_Get_address(b, &address);
    places[1] = address - start;
    MPI_Get_address(n, &address);
    places[2] = address - start;
    MPI_Type_create_struct(3, lengths, places, types, type);
    MPI_Type_commit(type);
}

static void read_data(double *a, double *b, int *n, const double *x)
{
    MPI_Datatype type;
    build(a, b, n, &type);
    if (rank == 0) {
        *a = x[0] * x[1];
        *b = sin(x[2]);
        *n = 3;
    }
    MPI_Bcast(a, 1, type, 0, MPI_COMM_WORLD);
    MPI_Type_free(&type);
}

/* Two numbers and two more, named by their addresses. */
static MPI_Datatype absolute(double *one, double *two)
{
    int lengths[2] = {1, 2};
    MPI_Aint places[2];
    MPI_Datatype type;
    MPI_Get_address(one, &places[0]);
    MPI_Get_address(two, &places[1]);
    MPI_Type_create_hindexed(2, lengths, places, MPI_DOUBLE, &type);
    MPI_Type_commit(&type);
    return type;
}

static double objective(double *x)
{
    double a = 0, b = 0, single = x[3] * x[0], pair[2] = {x[1], x[2] * x[2]}, got = 0, more[2] = {0, 0};
    int n = 0;
    MPI_Request requests[2];
    read_data(&a, &b, &n, x);
    MPI_Datatype from = absolute(&single, pair), to = absolute(&got, more), global = absolute(&shared, several);
    MPI_Irecv(MPI_BOTTOM, 1, to, (rank + size - 1) % size, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(MPI_BOTTOM, 1, from, (rank + 1) % size, 0, MPI_COMM_WORLD, &requests[1]);
    shared = x[0];
    several[0] = x[1] * x[1];
    several[1] = x[2] * x[3];
    MPI_Bcast(MPI_BOTTOM, 1, global, size - 1, MPI_COMM_WORLD);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Type_free(&from);
    MPI_Type_free(&to);
    MPI_Type_free(&global);
    return a * b * x[3] * n + got * more[0] + more[1] * x[0] + shared * several[0] + sin(several[1]);
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
