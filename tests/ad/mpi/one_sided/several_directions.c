/* One-sided communication in three directions at once: between fences, without them, under locks. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>

typedef struct {
    double of[3];
} tangents;
tangents __enzyme_fwddiff_three(void *, ...);
double __enzyme_fwddiff(void *, ...);
int enzyme_width, enzyme_dup;

enum { N = 4 };
static int rank, size;

static double fences(double *x, int next)
{
    double *memory, in[2] = {0, 0}, y = x[0] * x[1], s;
    MPI_Win win;
    MPI_Win_allocate(3 * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    memory[0] = x[0];
    memory[1] = 2;
    memory[2] = sin(x[2]);
    MPI_Win_fence(0, win);
    MPI_Put(&y, 1, MPI_DOUBLE, next, 0, 1, MPI_DOUBLE, win);
    MPI_Accumulate(&x[3], 1, MPI_DOUBLE, next, 1, 1, MPI_DOUBLE, MPI_SUM, win);
    MPI_Win_fence(0, win);
    MPI_Get(in, 2, MPI_DOUBLE, next, 1, 2, MPI_DOUBLE, win);
    MPI_Win_fence(0, win);
    s = memory[0] * memory[1] * in[0] * in[1];
    MPI_Win_free(&win);
    return s;
}

static double groups(double *x, int next, int before)
{
    double memory[2] = {x[1], 0}, in, s;
    MPI_Win win;
    MPI_Group all, to, from;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 1, &next, &to);
    MPI_Group_incl(all, 1, &before, &from);
    MPI_Win_create(memory, sizeof memory, sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_post(from, 0, win);
    MPI_Win_start(to, 0, win);
    MPI_Put(&x[2], 1, MPI_DOUBLE, next, 1, 1, MPI_DOUBLE, win);
    MPI_Get(&in, 1, MPI_DOUBLE, next, 0, 1, MPI_DOUBLE, win);
    MPI_Win_complete(win);
    MPI_Win_wait(win);
    s = in * memory[1] * x[0];
    MPI_Win_free(&win);
    MPI_Group_free(&all);
    MPI_Group_free(&to);
    MPI_Group_free(&from);
    return s;
}

static double locks(double *x, int next)
{
    double *memory, old, in[2], y = x[0] * x[3], s;
    MPI_Win win;
    MPI_Request request;
    MPI_Win_allocate(3 * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    for (int i = 0; i < 3; i++)
        memory[i] = x[i];
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, next, 0, win);
    MPI_Fetch_and_op(&y, &old, MPI_DOUBLE, next, 0, MPI_SUM, win);
    MPI_Put(&old, 1, MPI_DOUBLE, next, 1, 1, MPI_DOUBLE, win);
    MPI_Win_unlock(next, win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, win);
    MPI_Rget(in, 2, MPI_DOUBLE, next, 1, 2, MPI_DOUBLE, win, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Win_unlock_all(win);
    s = memory[0] * old + in[0] * in[1] * x[3];
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_free(&win);
    return s;
}

static double objective(double *x)
{
    int next = (rank + 1) % size, before = (rank + size - 1) % size;
    return fences(x, next) + groups(x, next, before) + locks(x, next);
}

int main(int argc, char **argv)
{
    double x[N], dot[3][N];
    int bad = 0, any;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < N; i++) {
        x[i] = 0.8 + 0.3 * sin(1.7 * i + 2.3 * rank + 0.4);
        for (int d = 0; d < 3; d++)
            dot[d][i] = cos(0.9 * i + 1.1 * rank + d);
    }
    tangents all = __enzyme_fwddiff_three((void *)objective, enzyme_width, 3, enzyme_dup, x, dot[0], dot[1], dot[2]);
    for (int d = 0; d < 3; d++) {
        double one = __enzyme_fwddiff((void *)objective, enzyme_dup, x, dot[d]);
        if (!(fabs(all.of[d] - one) <= 1e-12 * (1 + fabs(one)))) {
            printf("rank %d, direction %d: %.12g, not %.12g\n", rank, d, all.of[d], one);
            bad = 1;
        }
    }
    MPI_Allreduce(&bad, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Finalize();
    return any;
}
