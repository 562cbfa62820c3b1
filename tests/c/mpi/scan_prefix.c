// mpi: 3
// interp: skip MPI
// Inclusive and exclusive scans; sub-communicators.
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size, bad = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int mine = rank * 3 + 1, inclusive = 0, exclusive = 0;
    MPI_Scan(&mine, &inclusive, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Exscan(&mine, &exclusive, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        exclusive = 0;
    bad |= inclusive != exclusive + mine || inclusive != 3 * rank * (rank + 1) / 2 + rank + 1;
    double values[4], prefix[4];
    for (int i = 0; i < 4; i++)
        values[i] = rank + i * 0.25;
    MPI_Scan(values, prefix, 4, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    for (int i = 0; i < 4; i++)
        bad |= prefix[i] != values[i];
    MPI_Comm half;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
    int sub_rank, sub_size, sum = 0;
    MPI_Comm_rank(half, &sub_rank);
    MPI_Comm_size(half, &sub_size);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, half);
    int expected = 0;
    for (int r = rank % 2; r < size; r += 2)
        expected += r;
    bad |= sum != expected;
    MPI_Comm_free(&half);
    int last = 0;
    if (rank == size - 1)
        MPI_Send(&inclusive, 1, MPI_INT, 0, 5, MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Recv(&last, 1, MPI_INT, size - 1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        printf("%d %d\n", last, sum);
    }
    MPI_Finalize();
    return bad;
}
