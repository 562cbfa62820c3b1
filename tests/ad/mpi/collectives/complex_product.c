/* Products of complex numbers, over all ranks and over some. */
#include <complex.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

enum { N = 4 };
static int rank, size;

static double objective(double *x)
{
    double complex z[2] = {x[0] + I * x[1], x[2] - I * x[3] * x[3]}, all[2], some[2], before[2] = {1, 1}, of[4], one;
    double complex in = x[0] + I * x[3], out = x[2] + I * sin(x[1]), s;
    MPI_Request request;
    MPI_Iallreduce(z, all, 2, MPI_C_DOUBLE_COMPLEX, MPI_PROD, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Scan(z, some, 2, MPI_C_DOUBLE_COMPLEX, MPI_PROD, MPI_COMM_WORLD);
    MPI_Exscan(z, before, 2, MPI_C_DOUBLE_COMPLEX, MPI_PROD, MPI_COMM_WORLD);
    for (int r = 0; r < size; r++)
        of[r] = z[r % 2] + 0.1 * r;
    MPI_Reduce_scatter_block(of, &one, 1, MPI_C_DOUBLE_COMPLEX, MPI_PROD, MPI_COMM_WORLD);
    MPI_Reduce_local(&in, &out, 1, MPI_C_DOUBLE_COMPLEX, MPI_PROD);
    s = all[0] * some[1] + some[0] * before[1] + before[0] * all[1] + one * out;
    MPI_Reduce(rank == 0 ? MPI_IN_PLACE : (void *)&out, &out, 1, MPI_C_DOUBLE_COMPLEX, MPI_PROD, 0, MPI_COMM_WORLD);
    return creal(s) * x[2] + cimag(s) + (rank == 0 ? cimag(out * out) : 0);
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
