// mpi: 2
// interp: skip MPI
// Scatter, local work, gather; variable counts; allgather.
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size, bad = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double all[32], part[32];
    int each = 32 / size;
    if (rank == 0)
        for (int i = 0; i < 32; i++)
            all[i] = i;
    MPI_Scatter(all, each, MPI_DOUBLE, part, each, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    for (int i = 0; i < each; i++)
        part[i] = part[i] * part[i] + rank;
    MPI_Gather(part, each, MPI_DOUBLE, all, each, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    if (rank == 0)
        for (int i = 0; i < 32; i++)
            bad |= all[i] != i * i + i / each;
    int counts[8], starts[8], ranks[8], mine[8], joined[64], total = 0;
    for (int r = 0; r < size; r++) {
        counts[r] = r + 2;
        starts[r] = total;
        total += counts[r];
    }
    for (int i = 0; i < rank + 2; i++)
        mine[i] = rank * 10 + i;
    MPI_Gatherv(mine, rank + 2, MPI_INT, joined, counts, starts, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Allgather(&rank, 1, MPI_INT, ranks, 1, MPI_INT, MPI_COMM_WORLD);
    for (int r = 0; r < size; r++)
        bad |= ranks[r] != r;
    if (rank == 0) {
        for (int i = 0; i < total; i++)
            printf("%d ", joined[i]);
        printf("%g\n", all[31]);
    }
    MPI_Finalize();
    return bad;
}
