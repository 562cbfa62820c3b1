/* Structs that are named by the address of their first member, an integer: as a datatype, and as bytes. Structs of integers beside them. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

enum { N = 4 };
static int rank, size;

struct particle {
    int id;
    double v[2];
};

struct header {
    long length;
    double u[3];
};

struct range {
    int low, high;
};

static double objective(double *x)
{
    int next = (rank + 1) % size, last = (rank + size - 1) % size;
    struct particle p, q;
    struct header h, got;
    struct range range = {0, 3}, least = {(7 * rank) % 5, rank};
    int lengths[2] = {1, 2};
    MPI_Aint places[2], start;
    MPI_Datatype types[2] = {MPI_INT, MPI_DOUBLE}, type;
    double s = 0;
    MPI_Get_address(&p.id, &start);
    MPI_Get_address(&p.id, &places[0]);
    MPI_Get_address(p.v, &places[1]);
    for (int k = 0; k < 2; k++)
        places[k] -= start;
    MPI_Type_create_struct(2, lengths, places, types, &type);
    MPI_Type_commit(&type);
    p.id = rank;
    p.v[0] = x[0] * x[1];
    p.v[1] = sin(x[2]);
    MPI_Sendrecv(&p.id, 1, type, next, 0, &q.id, 1, type, last, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    h.length = 3;
    for (int i = 0; i < 3; i++)
        h.u[i] = x[i] * x[i + 1];
    MPI_Sendrecv(&h.length, sizeof h, MPI_BYTE, next, 1, &got.length, sizeof got, MPI_BYTE, last, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Bcast(&range, sizeof range, MPI_BYTE, 0, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPI_2INT, MPI_MINLOC, MPI_COMM_WORLD);
    for (int i = range.low; i < range.high; i++)
        s += got.u[i] * x[i] * (got.length + least.low);
    MPI_Type_free(&type);
    return s + q.v[0] * q.v[1] * x[3] * (q.id + 1);
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
