/* Messages between two groups, through an intercommunicator that is freed before the reverse sweep, and one with its union. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

enum { N = 3 };
static int rank, size;

static double objective(double *x)
{
    if (size < 2)
        return x[0] * x[1];
    int half = size / 2, upper = rank >= half, place;
    double mine = x[0] * x[1], theirs = 0, sum;
    MPI_Comm group, between, both;
    MPI_Status status;
    MPI_Comm_split(MPI_COMM_WORLD, upper, rank, &group);
    MPI_Intercomm_create(group, 0, MPI_COMM_WORLD, upper ? 0 : half, 12, &between);
    MPI_Comm_rank(group, &place);
    if (place == 0)
        MPI_Sendrecv(&mine, 1, MPI_DOUBLE, 0, 3, &theirs, 1, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG, between, &status);
    MPI_Bcast(&theirs, 1, MPI_DOUBLE, 0, group);
    MPI_Intercomm_merge(between, upper, &both);
    MPI_Allreduce(&x[2], &sum, 1, MPI_DOUBLE, MPI_SUM, both);
    MPI_Comm_free(&both);
    MPI_Comm_free(&between);
    MPI_Comm_free(&group);
    return theirs * theirs * sum;
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
