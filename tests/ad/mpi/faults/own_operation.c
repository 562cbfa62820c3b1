// ranks: 2
// fails: the derivative of a reduction other than MPI_SUM, MPI_PROD, MPI_MIN, MPI_MAX, MPI_MINLOC and MPI_MAXLOC
/* A reduction with an operation of the program's own has no derivative. */
#include <math.h>
#include <mpi.h>

double __enzyme_autodiff(void *, ...);

static MPI_Op larger;

static void combine(void *in, void *both, int *count, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *count; i++)
        ((double *)both)[i] = hypot(((double *)in)[i], ((double *)both)[i]);
}

static double objective(double *x)
{
    double norm;
    MPI_Allreduce(x, &norm, 1, MPI_DOUBLE, larger, MPI_COMM_WORLD);
    return norm;
}

int main(int argc, char **argv)
{
    double x = 1, bar = 0;
    MPI_Init(&argc, &argv);
    MPI_Op_create(combine, 1, &larger);
    __enzyme_autodiff((void *)objective, &x, &bar);
    MPI_Op_free(&larger);
    MPI_Finalize();
    return 0;
}
