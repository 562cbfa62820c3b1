// ranks: 1,4
/* Cannon's matrix product: blocks are shifted along rows and columns of a periodic grid. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

enum { N = 8 };
static int rank, size;

static void product(const double *a, const double *b, double *c)
{
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            for (int k = 0; k < 2; k++)
                c[2 * i + j] += a[2 * i + k] * b[2 * k + j];
}
static double objective(double *x)
{
    int q = size == 4 ? 2 : 1, dims[2] = {q, q}, periods[2] = {1, 1}, at[2], from, to;
    double a[4], b[4], c[4] = {0, 0, 0, 0}, s = 0;
    MPI_Comm grid;
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
    MPI_Cart_coords(grid, rank, 2, at);
    for (int k = 0; k < 4; k++) {
        a[k] = x[k];
        b[k] = x[4 + k];
    }
    MPI_Cart_shift(grid, 1, -at[0], &from, &to);
    MPI_Sendrecv_replace(a, 4, MPI_DOUBLE, to, 0, from, 0, grid, MPI_STATUS_IGNORE);
    MPI_Cart_shift(grid, 0, -at[1], &from, &to);
    MPI_Sendrecv_replace(b, 4, MPI_DOUBLE, to, 1, from, 1, grid, MPI_STATUS_IGNORE);
    for (int step = 0; step < q; step++) {
        product(a, b, c);
        MPI_Cart_shift(grid, 1, -1, &from, &to);
        MPI_Sendrecv_replace(a, 4, MPI_DOUBLE, to, 2, from, 2, grid, MPI_STATUS_IGNORE);
        MPI_Cart_shift(grid, 0, -1, &from, &to);
        MPI_Sendrecv_replace(b, 4, MPI_DOUBLE, to, 3, from, 3, grid, MPI_STATUS_IGNORE);
    }
    MPI_Comm_free(&grid);
    for (int k = 0; k < 4; k++)
        s += c[k] * c[k] * (k + 1);
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
