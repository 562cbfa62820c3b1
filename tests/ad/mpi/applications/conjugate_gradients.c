/* Conjugate gradients on a distributed tridiagonal matrix, with distributed dot products. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

enum { N = 6 };
static int rank, size;

static double dot_product(const double *a, const double *b)
{
    double mine = 0, all;
    for (int i = 0; i < N; i++)
        mine += a[i] * b[i];
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all;
}
static void multiply(const double *diagonal, const double *v, double *w)
{
    double before = 0, behind = 0;
    int left = rank > 0 ? rank - 1 : MPI_PROC_NULL, right = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
    MPI_Sendrecv(&v[N - 1], 1, MPI_DOUBLE, right, 0, &before, 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(&v[0], 1, MPI_DOUBLE, left, 1, &behind, 1, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < N; i++)
        w[i] = (3 + diagonal[i]) * v[i] - (i > 0 ? v[i - 1] : before) - (i < N - 1 ? v[i + 1] : behind);
}
static double objective(double *x)
{
    double u[N], r[N], p[N], ap[N], s = 0;
    for (int i = 0; i < N; i++) {
        u[i] = 0;
        r[i] = p[i] = 1 + 0.1 * i + x[i];
    }
    double rr = dot_product(r, r);
    for (int k = 0; k < 4; k++) {
        multiply(x, p, ap);
        double alpha = rr / dot_product(p, ap);
        for (int i = 0; i < N; i++) {
            u[i] += alpha * p[i];
            r[i] -= alpha * ap[i];
        }
        double next = dot_product(r, r), beta = next / rr;
        rr = next;
        for (int i = 0; i < N; i++)
            p[i] = r[i] + beta * p[i];
    }
    for (int i = 0; i < N; i++)
        s += u[i] * u[i] * (i + 1);
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
