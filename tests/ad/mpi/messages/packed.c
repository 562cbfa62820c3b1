/* MPI_Pack and MPI_Unpack: numbers behind an integer, sent as MPI_PACKED. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

enum { N = 5 };
static int rank, size;

static double objective(double *x)
{
    char out[200], in[200];
    int at = 0, id = rank + 1, got;
    double y[3];
    float f = (float)x[3], g;
    MPI_Pack(&id, 1, MPI_INT, out, 200, &at, MPI_COMM_WORLD);
    MPI_Pack(x, 3, MPI_DOUBLE, out, 200, &at, MPI_COMM_WORLD);
    MPI_Pack(&f, 1, MPI_FLOAT, out, 200, &at, MPI_COMM_WORLD);
    MPI_Sendrecv(out, at, MPI_PACKED, (rank + 1) % size, 0, in, 200, MPI_PACKED, (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    at = 0;
    MPI_Unpack(in, 200, &at, &got, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Unpack(in, 200, &at, y, 3, MPI_DOUBLE, MPI_COMM_WORLD);
    MPI_Unpack(in, 200, &at, &g, 1, MPI_FLOAT, MPI_COMM_WORLD);
    return y[0] * y[1] * got + y[2] * x[4] + g * (size + 1) * 0.25;
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
