// mpi: 3
// interp: skip MPI
// Reduce and allreduce with several operators; a distributed dot product.
#include <mpi.h>
#include <stdio.h>

#define N 30

int main(int argc, char **argv)
{
    int rank, size, bad = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double local = 0, dot = 0;
    for (int i = rank; i < N; i += size)
        local += i * 0.5 * (N - i); // exact halves
    MPI_Allreduce(&local, &dot, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    double expected = 0;
    for (int i = 0; i < N; i++)
        expected += i * 0.5 * (N - i);
    bad |= dot != expected;
    int mine[3] = {rank + 1, -rank, 1 << rank}, low[3], high[3], product[3];
    MPI_Allreduce(mine, low, 3, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    MPI_Allreduce(mine, high, 3, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Reduce(mine, product, 3, MPI_INT, MPI_PROD, 0, MPI_COMM_WORLD);
    bad |= low[1] != 1 - size || high[0] != size;
    struct { double value; int index; } in = {(rank * 7 % 3) + 0.5, rank}, out;
    MPI_Allreduce(&in, &out, 1, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &mine[2], 1, MPI_INT, MPI_BOR, MPI_COMM_WORLD);
    bad |= mine[2] != (1 << size) - 1;
    if (rank == 0) {
        printf("%.17g %d %d %d\n", dot, product[0], product[2], out.index);
        bad |= product[0] != 6;
    }
    MPI_Finalize();
    return bad;
}
