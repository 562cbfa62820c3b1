// mpi: 2
// interp: skip MPI
// A 1-D heat equation with nonblocking halo exchange.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define TOTAL 64
#define STEPS 100

static void step(const double *u, double *v, int n)
{
    for (int i = 1; i <= n; i++)
        v[i] = u[i] + 0.25 * (u[i - 1] - 2 * u[i] + u[i + 1]);
}

int main(int argc, char **argv)
{
    int rank, size, bad = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int n = TOTAL / size, left = rank > 0 ? rank - 1 : MPI_PROC_NULL, right = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    double *u = calloc((size_t)n + 2, sizeof *u), *v = calloc((size_t)n + 2, sizeof *v);
    for (int i = 1; i <= n; i++)
        u[i] = (rank * n + i - 1) % 16 == 8 ? 32 : 0;
    for (int t = 0; t < STEPS; t++) {
        MPI_Request r[4];
        MPI_Irecv(&u[0], 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, &r[0]);
        MPI_Irecv(&u[n + 1], 1, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &r[1]);
        MPI_Isend(&u[1], 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &r[2]);
        MPI_Isend(&u[n], 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, &r[3]);
        MPI_Waitall(4, r, MPI_STATUSES_IGNORE);
        step(u, v, n);
        double *w = u;
        u = v;
        v = w;
        u[0] = u[n + 1] = 0;
    }
    double all[TOTAL];
    MPI_Gather(u + 1, n, MPI_DOUBLE, all, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        double a[TOTAL + 2] = {0}, b[TOTAL + 2] = {0};
        for (int i = 1; i <= TOTAL; i++)
            a[i] = (i - 1) % 16 == 8 ? 32 : 0;
        for (int t = 0; t < STEPS; t++) {
            step(a, b, TOTAL);
            for (int i = 1; i <= TOTAL; i++)
                a[i] = b[i];
        }
        for (int i = 0; i < TOTAL; i++)
            bad |= all[i] != a[i + 1];
        printf("%.15g %.15g\n", all[10], all[40]);
    }
    free(u);
    free(v);
    MPI_Finalize();
    return bad;
}
