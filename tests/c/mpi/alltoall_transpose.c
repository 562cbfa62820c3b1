// mpi: 2
// interp: skip MPI
// A distributed matrix transpose with alltoall.
#include <mpi.h>
#include <stdio.h>

#define N 8

int main(int argc, char **argv)
{
    int rank, size, bad = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int rows = N / size, block = rows * rows;
    double a[N][N], t[N][N], send[N * N], receive[N * N];
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < N; j++)
            a[i][j] = (rank * rows + i) * 100 + j;
    for (int p = 0; p < size; p++)
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < rows; j++)
                send[p * block + i * rows + j] = a[i][p * rows + j];
    MPI_Alltoall(send, block, MPI_DOUBLE, receive, block, MPI_DOUBLE, MPI_COMM_WORLD);
    for (int p = 0; p < size; p++)
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < rows; j++)
                t[j][p * rows + i] = receive[p * block + i * rows + j];
    double trace = 0, whole = 0;
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < N; j++)
            bad |= t[i][j] != j * 100 + rank * rows + i;
        trace += t[i][rank * rows + i];
    }
    MPI_Reduce(&trace, &whole, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("%.17g\n", whole);
        bad |= whole != 28 * 101;
    }
    MPI_Finalize();
    return bad;
}
