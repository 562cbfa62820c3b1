// mpi: 2
// interp: skip MPI
// Broadcast of scalars, arrays and a struct as bytes.
#include <mpi.h>
#include <stdio.h>

struct config { int steps; double dt; char name[8]; };

int main(int argc, char **argv)
{
    int rank, size, n = 0, bad = 0;
    double values[5] = {0};
    struct config c = {0, 0, ""};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        n = 42;
        c = (struct config){100, 0.25, "heat"};
        for (int i = 0; i < 5; i++)
            values[i] = i * 1.5;
    }
    MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(values, 5, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(&c, sizeof c, MPI_BYTE, 0, MPI_COMM_WORLD);
    bad = n != 42 || values[4] != 6.0 || c.steps != 100 || c.dt != 0.25 || c.name[0] != 'h';
    int root = size - 1, from_last = rank == root ? 7 : 0;
    MPI_Bcast(&from_last, 1, MPI_INT, root, MPI_COMM_WORLD);
    bad |= from_last != 7;
    int all_bad = 0;
    MPI_Reduce(&bad, &all_bad, 1, MPI_INT, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d %d %s\n", all_bad, n, c.name);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return bad;
}
