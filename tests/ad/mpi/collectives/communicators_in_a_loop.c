// Communicators that are made and freed in the function itself, many times: what the reverse sweep needs of them lives until then, and no longer.
// ranks: 1,2,3
#include <math.h>
#include <mpi.h>
#include <stdio.h>

extern int enzyme_dup, enzyme_const;
double __enzyme_autodiff(void *, ...);

static double shared(const double *x, int n)
{
    MPI_Comm part, copy;
    int rank, size, place;
    double sum = 0.0, all = 0.0, from = 0.0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &part);
    MPI_Comm_dup(part, &copy);
    for (int i = 0; i < n; i++)
        sum += x[i] * x[i];
    MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, part);
    MPI_Comm_free(&part);
    MPI_Comm_rank(copy, &place);
    MPI_Comm_size(copy, &size);
    MPI_Sendrecv(&sum, 1, MPI_DOUBLE, (place + 1) % size, 3, &from, 1, MPI_DOUBLE, (place + size - 1) % size, 3, copy, MPI_STATUS_IGNORE);
    MPI_Comm_free(&copy);
    return all * x[0] + from * x[1];
}

int main(int count, char **arguments)
{
    enum { N = 4, TIMES = 200 };
    double x[N], bar[N];
    int rank, size, failed = 0;
    MPI_Init(&count, &arguments);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < N; i++)
        x[i] = 0.5 + 0.1 * i + 0.3 * rank;
    for (int k = 0; k < TIMES; k++) {
        for (int i = 0; i < N; i++)
            bar[i] = 0.0;
        __enzyme_autodiff((void *)shared, enzyme_dup, x, bar, enzyme_const, N);
    }
    /* Ranks of one parity: what they add up, and what goes around. */
    double total = 0.0, first = 0.0, own = 0.0, before = 0.0, next = 0.0;
    int members = 0;
    for (int r = rank % 2; r < size; r += 2, members++) {
        double squares = 0.0;
        for (int i = 0; i < N; i++)
            squares += pow(0.5 + 0.1 * i + 0.3 * r, 2);
        total += squares;
        first += 0.5 + 0.3 * r;
        if (r == rank)
            own = squares;
    }
    int place = rank / 2, last = rank % 2 + 2 * ((place + members - 1) % members), behind = rank % 2 + 2 * ((place + 1) % members);
    for (int i = 0; i < N; i++)
        before += pow(0.5 + 0.1 * i + 0.3 * last, 2);
    next = 0.6 + 0.3 * behind;
    (void)own;
    for (int i = 0; i < N; i++) {
        double expected = 2 * x[i] * (first + next) + (i == 0 ? total : 0.0) + (i == 1 ? before : 0.0);
        if (!(fabs(bar[i] - expected) < 1e-10 * fabs(expected))) {
            printf("rank %d: %g, not %g\n", rank, bar[i], expected);
            failed = 1;
        }
    }
    MPI_Finalize();
    return failed;
}
