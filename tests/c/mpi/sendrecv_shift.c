// mpi: 3
// interp: skip MPI
// Cyclic shifts with sendrecv and sendrecv_replace; bubble sort across ranks.
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size, bad = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double out[2] = {rank, rank * 0.5}, in[2];
    int next = (rank + 1) % size, previous = (rank + size - 1) % size;
    MPI_Sendrecv(out, 2, MPI_DOUBLE, next, 1, in, 2, MPI_DOUBLE, previous, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    bad |= in[0] != previous || in[1] != previous * 0.5;
    int value = rank;
    for (int s = 0; s < size; s++)
        MPI_Sendrecv_replace(&value, 1, MPI_INT, next, 2, previous, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    bad |= value != rank;
    int key = (size - rank) * 10; // odd-even transposition sort
    for (int phase = 0; phase < size; phase++) {
        int partner = (rank + phase) % 2 == 0 ? rank + 1 : rank - 1, other;
        if (partner < 0 || partner >= size)
            continue;
        MPI_Sendrecv(&key, 1, MPI_INT, partner, 3, &other, 1, MPI_INT, partner, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (partner > rank)
            key = other < key ? other : key;
        else
            key = other > key ? other : key;
    }
    bad |= key != (rank + 1) * 10;
    int keys[16];
    MPI_Gather(&key, 1, MPI_INT, keys, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        for (int r = 0; r < size; r++)
            printf("%d ", keys[r]);
        printf("\n");
    }
    MPI_Finalize();
    return bad;
}
