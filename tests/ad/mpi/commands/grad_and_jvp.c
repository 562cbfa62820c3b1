// A gradient and a directional derivative that commands wrote, called by a program that a C compiler alone builds.
// commands: grad -f loss; jvp -f loss; check -f loss
// ranks: 1,2,3
#include <math.h>
#include <mpi.h>

/* Each rank has some numbers; differences go around, squares are summed up over the ranks. */
double loss(const double *x, int n)
{
    double sum = 0.0, all = 0.0, before = 0.0;
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Sendrecv(&x[n - 1], 1, MPI_DOUBLE, (rank + 1) % size, 0, &before, 1, MPI_DOUBLE, (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < n; i++) {
        double difference = x[i] - (i > 0 ? x[i - 1] : before);
        sum += difference * difference * (1 + 0.1 * x[i]);
    }
    MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return sin(all);
}

#ifdef DRIVER
#include "made_1.h"
#include "made_2.h"
#include <stdio.h>
#include <stdlib.h>

int main(int count, char **arguments)
{
    enum { N = 5 };
    double x[N], bar[N] = {0}, dot[N], moved[N], h = 1e-6, product = 0.0, all = 0.0, tangent = 0.0, sum = 0.0;
    int rank, size, failed = 0;
    MPI_Init(&count, &arguments);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < N; i++) {
        x[i] = 0.3 * sin(2.0 * i + rank);
        dot[i] = cos(3.0 * i - rank);
    }
    loss_grad(x, N, bar);
    loss_jvp(x, N, dot, &tangent);
    for (int i = 0; i < N; i++)
        product += bar[i] * dot[i];
    /* The gradient is that of the sum over the ranks of what they return, which is the same on all. */
    MPI_Allreduce(&product, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(&tangent, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (!(fabs(all - sum) <= 1e-12 * (1 + fabs(sum)))) {
        printf("rank %d: reverse %.15g, forward %.15g\n", rank, all, sum);
        failed = 1;
    }
    for (int i = 0; i < N; i++)
        moved[i] = x[i] + h * dot[i];
    double up = loss(moved, N);
    for (int i = 0; i < N; i++)
        moved[i] = x[i] - h * dot[i];
    double numeric = (up - loss(moved, N)) / (2 * h);
    if (!(fabs(tangent - numeric) <= 1e-7 * (1 + fabs(numeric)))) {
        printf("rank %d: %.12g, differences say %.12g\n", rank, tangent, numeric);
        failed = 1;
    }
    MPI_Finalize();
    return failed;
}
#endif
