// ranks: 1,2,4
/* A two-dimensional Fourier transform: rows, a transpose by MPI_Alltoall, columns. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <complex.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

enum { N = 16 };
static int rank, size;

enum { L = 4 };
static void transform(double complex *a, int n)
{
    double complex b[8];
    for (int k = 0; k < n; k++) {
        b[k] = 0;
        for (int j = 0; j < n; j++)
            b[k] += a[j] * cexp(-2 * 3.14159265358979323846 * I * j * k / n);
    }
    for (int k = 0; k < n; k++)
        a[k] = b[k];
}
static double objective(double *x)
{
    int rows = L / size;
    double complex a[L * L], packed[L * L], t[L * L];
    double s = 0;
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < L; j++)
            a[i * L + j] = x[i * L + j] * (1 + 0.5 * I);
        transform(&a[i * L], L);
    }
    for (int r = 0; r < size; r++)
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < rows; j++)
                packed[(r * rows + i) * rows + j] = a[i * L + r * rows + j];
    MPI_Alltoall(packed, rows * rows, MPI_C_DOUBLE_COMPLEX, t, rows * rows, MPI_C_DOUBLE_COMPLEX, MPI_COMM_WORLD);
    for (int j = 0; j < rows; j++) {
        double complex column[L];
        for (int r = 0; r < size; r++)
            for (int i = 0; i < rows; i++)
                column[r * rows + i] = t[(r * rows + i) * rows + j];
        transform(column, L);
        for (int k = 0; k < L; k++)
            s += (k + 1) * creal(column[k] * conj(column[k])) + cimag(column[k]);
    }
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
                if (!(fabs(bar[i] - numeric) <= 1e-5 * (1 + fabs(numeric)))) {
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
