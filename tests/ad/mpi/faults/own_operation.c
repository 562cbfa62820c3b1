// ranks: 2
// fails: whose function is not known
/* A reduction with an operation of the program's own has no derivative if nobody can tell which function it is. */
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

static void add(void *in, void *both, int *count, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *count; i++)
        ((double *)both)[i] += ((double *)in)[i];
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
    MPI_Op_create(argc > 5 ? add : combine, 1, &larger);
    __enzyme_autodiff((void *)objective, &x, &bar);
    MPI_Op_free(&larger);
    MPI_Finalize();
    return 0;
}
