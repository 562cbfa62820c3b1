/* MPI_Mprobe, MPI_Improbe, MPI_Mrecv and MPI_Imrecv: messages are received in another order than they were found. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

enum { N = 6 };
static int rank, size;

static double objective(double *x)
{
    double s = 0, a[3], b[3], late[3];
    int to = (rank + 1) % size, from = (rank + size - 1) % size, n, k = 5;
    MPI_Request q[5];
    MPI_Message first, second, third;
    MPI_Status st;
    double y[3] = {x[0] * x[0], x[1], x[2]}, z[2] = {x[3] * x[4], x[5]}, w = x[0] * x[5];
    MPI_Isend(y, 3, MPI_DOUBLE, to, 4, MPI_COMM_WORLD, &q[0]);
    MPI_Isend(z, 2, MPI_DOUBLE, to, 6, MPI_COMM_WORLD, &q[1]);
    MPI_Isend(&k, 1, MPI_INT, to, 7, MPI_COMM_WORLD, &q[2]);
    MPI_Isend(&w, 1, MPI_DOUBLE, to, 8, MPI_COMM_WORLD, &q[3]);
    MPI_Mprobe(MPI_ANY_SOURCE, 4, MPI_COMM_WORLD, &first, &st);
    MPI_Get_count(&st, MPI_DOUBLE, &n);
    int flag = 0;
    while (!flag) MPI_Improbe(from, 6, MPI_COMM_WORLD, &flag, &second, MPI_STATUS_IGNORE);
    MPI_Mprobe(from, 7, MPI_COMM_WORLD, &third, &st);
    double wi = 0;
    MPI_Irecv(&wi, 1, MPI_DOUBLE, from, 8, MPI_COMM_WORLD, &q[4]);
    MPI_Mrecv(b, 2, MPI_DOUBLE, &second, MPI_STATUS_IGNORE);
    int got = 0;
    MPI_Mrecv(&got, 1, MPI_INT, &third, &st);
    MPI_Request r;
    MPI_Imrecv(a, n, MPI_DOUBLE, &first, &r);
    MPI_Wait(&r, &st);
    MPI_Waitall(5, q, MPI_STATUSES_IGNORE);
    MPI_Mprobe(MPI_PROC_NULL, 0, MPI_COMM_WORLD, &first, &st);
    late[0] = 2;
    MPI_Mrecv(late, 3, MPI_DOUBLE, &first, &st);
    for (int i = 0; i < n; i++) s += a[i] * a[i] * (i + 1);
    return s + b[0] * b[1] * got + late[0] + wi * wi * x[1];
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
