// ranks: 1
// fails: numbers behind MPI_BOTTOM
/* Numbers that a datatype names by their addresses, which was made before: nobody knows their shadows. */
#include <mpi.h>

double __enzyme_autodiff(void *, ...);

static double y, z;
static MPI_Datatype from, to;

static double objective(double *x)
{
    y = x[0];
    MPI_Sendrecv(MPI_BOTTOM, 1, from, 0, 0, MPI_BOTTOM, 1, to, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return z * z;
}

int main(int argc, char **argv)
{
    double x[1] = {3}, bar[1] = {0};
    MPI_Aint places[2];
    int one = 1;
    MPI_Init(&argc, &argv);
    MPI_Get_address(&y, &places[0]);
    MPI_Get_address(&z, &places[1]);
    MPI_Type_create_hindexed(1, &one, &places[0], MPI_DOUBLE, &from);
    MPI_Type_create_hindexed(1, &one, &places[1], MPI_DOUBLE, &to);
    MPI_Type_commit(&from);
    MPI_Type_commit(&to);
    __enzyme_autodiff((void *)objective, x, bar);
    MPI_Finalize();
    return 0;
}
