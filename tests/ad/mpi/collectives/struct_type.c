/* A datatype for a struct of integers, a character and numbers. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stddef.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

enum { N = 4 };
static int rank, size;

struct particle {
    int id;
    double position[2];
    float charge;
    char kind;
};
static double objective(double *x)
{
    struct particle mine, all[4];
    int lengths[4] = {1, 2, 1, 1};
    MPI_Aint places[4] = {offsetof(struct particle, id), offsetof(struct particle, position), offsetof(struct particle, charge),
                          offsetof(struct particle, kind)};
    MPI_Datatype types[4] = {MPI_INT, MPI_DOUBLE, MPI_FLOAT, MPI_CHAR}, members, type;
    MPI_Type_create_struct(4, lengths, places, types, &members);
    MPI_Type_create_resized(members, 0, sizeof(struct particle), &type);
    MPI_Type_commit(&type);
    mine.id = rank + 1;
    mine.position[0] = x[0] * x[1];
    mine.position[1] = sin(x[2]);
    mine.charge = (float)x[3];
    mine.kind = (char)(rank % 2 + 1);
    MPI_Allgather(&mine, 1, type, all, 1, type, MPI_COMM_WORLD);
    MPI_Type_free(&members);
    MPI_Type_free(&type);
    double s = 0;
    for (int r = 0; r < size; r++)
        s += all[r].id * all[r].position[0] * all[r].position[1] + all[r].charge * x[0] * all[r].kind;
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
            double h = 1e-3, at = x[i], up, down;
            x[i] = at + (r == rank ? h : 0);
            up = total(x);
            x[i] = at - (r == rank ? h : 0);
            down = total(x);
            x[i] = at;
            if (r == rank) {
                double numeric = (up - down) / (2 * h);
                mine[1] += bar[i] * dot[i];
                if (!(fabs(bar[i] - numeric) <= 1e-4 * (1 + fabs(numeric)))) {
                    printf("rank %d: d/dx[%d] is %.10g, not %.10g\n", rank, i, bar[i], numeric);
                    bad = 1;
                }
            }
        }
    MPI_Allreduce(mine, all, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (!(fabs(all[0] - all[1]) <= 1e-6 * (1 + fabs(all[1])))) {
        printf("the tangent is %.10g, not %.10g\n", all[0], all[1]);
        bad = 1;
    }
    MPI_Allreduce(&bad, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Finalize();
    return any;
}
