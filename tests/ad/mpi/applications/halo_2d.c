/* A two-dimensional grid of ranks: rows are sent as they lie, columns by a vector type. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

enum { N = 9 };
static int rank, size;

enum { M = 3 };
static double objective(double *x)
{
    int dims[2] = {0, 0}, periods[2] = {1, 0}, up, down, left, right;
    double u[M + 2][M + 2], v[M + 2][M + 2], s = 0;
    MPI_Comm grid;
    MPI_Datatype column;
    MPI_Dims_create(size, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
    MPI_Cart_shift(grid, 0, 1, &up, &down);
    MPI_Cart_shift(grid, 1, 1, &left, &right);
    MPI_Type_vector(M, 1, M + 2, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);
    for (int i = 0; i < M + 2; i++)
        for (int j = 0; j < M + 2; j++)
            u[i][j] = i > 0 && i <= M && j > 0 && j <= M ? x[(i - 1) * M + j - 1] : 0;
    for (int step = 0; step < 3; step++) {
        MPI_Sendrecv(&u[M][1], M, MPI_DOUBLE, down, 0, &u[0][1], M, MPI_DOUBLE, up, 0, grid, MPI_STATUS_IGNORE);
        MPI_Sendrecv(&u[1][1], M, MPI_DOUBLE, up, 1, &u[M + 1][1], M, MPI_DOUBLE, down, 1, grid, MPI_STATUS_IGNORE);
        MPI_Sendrecv(&u[1][M], 1, column, right, 2, &u[1][0], 1, column, left, 2, grid, MPI_STATUS_IGNORE);
        MPI_Sendrecv(&u[1][1], 1, column, left, 3, &u[1][M + 1], 1, column, right, 3, grid, MPI_STATUS_IGNORE);
        for (int i = 1; i <= M; i++)
            for (int j = 1; j <= M; j++)
                v[i][j] = u[i][j] + 0.1 * sin(u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1] - 4 * u[i][j]);
        for (int i = 1; i <= M; i++)
            for (int j = 1; j <= M; j++)
                u[i][j] = v[i][j];
    }
    MPI_Type_free(&column);
    MPI_Comm_free(&grid);
    for (int i = 1; i <= M; i++)
        for (int j = 1; j <= M; j++)
            s += u[i][j] * u[i][j];
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
