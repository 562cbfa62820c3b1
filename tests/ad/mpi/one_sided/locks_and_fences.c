/* A distributed array whose functions lock a window, between fences of the same window. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

enum { N = 6 };
static int rank, size;

typedef struct { MPI_Win w; double *p; int n; } GA;
static void ga_create(GA *g, int n) { g->n = n; MPI_Win_allocate(n * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &g->p, &g->w); for (int i = 0; i < n; i++) g->p[i] = 0; MPI_Barrier(MPI_COMM_WORLD); }
static void ga_acc(GA *g, int owner, int at, const double *v, int n, double alpha)
{
    double t[N]; for (int i = 0; i < n; i++) t[i] = alpha * v[i];
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, owner, 0, g->w); MPI_Accumulate(t, n, MPI_DOUBLE, owner, at, n, MPI_DOUBLE, MPI_SUM, g->w); MPI_Win_unlock(owner, g->w);
}
static void ga_get(GA *g, int owner, int at, double *v, int n) { MPI_Win_lock(MPI_LOCK_SHARED, owner, 0, g->w); MPI_Get(v, n, MPI_DOUBLE, owner, at, n, MPI_DOUBLE, g->w); MPI_Win_unlock(owner, g->w); }
static void ga_sync(GA *g) { MPI_Barrier(MPI_COMM_WORLD); }
static double objective(double *x)
{
    GA g; double s = 0, v[N]; ga_create(&g, N);
    for (int r = 0; r < size; r++) ga_acc(&g, r, 0, x, N, r + 1.0);
    ga_sync(&g);
    for (int r = 0; r < size; r++) { ga_get(&g, r, 1, v, N - 1); for (int i = 0; i < N - 1; i++) s += v[i] * v[i] * x[i]; }
    ga_sync(&g);
    ga_acc(&g, (rank + 1) % size, 2, x, 2, s * 0.01);
    ga_sync(&g);
    MPI_Win_fence(0, g.w);
    MPI_Get(v, 3, MPI_DOUBLE, (rank + 1) % size, 1, 3, MPI_DOUBLE, g.w);
    MPI_Win_fence(0, g.w);
    s += v[0] * v[1] * v[2];
    ga_sync(&g);
    MPI_Win_free(&g.w);
    return s;
}

/* What is differentiated: the sum over the ranks. */
static double total(double *x)
{
    double mine = objective(x), all;
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

int main(int argc, char **argv)
{
    double x[N], bar[N], dot[N], mine[2] = {0, 0}, all[2];
    int bad = 0, any;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < N; i++) {
        x[i] = 0.8 + 0.3 * sin(1.7 * i + 2.3 * rank + 0.4);
        dot[i] = cos(0.9 * i + 1.1 * rank);
        bar[i] = 0;
    }
    __enzyme_autodiff((void *)objective, x, bar);
    mine[0] = __enzyme_fwddiff((void *)objective, x, dot);
    for (int r = 0; r < size; r++)
        for (int i = 0; i < N; i++) {
            double h = 1e-6, at = x[i], up, down;
            x[i] = at + (r == rank ? h : 0);
            up = total(x);
            x[i] = at - (r == rank ? h : 0);
            down = total(x);
            x[i] = at;
            if (r == rank) {
                double numeric = (up - down) / (2 * h);
                mine[1] += bar[i] * dot[i];
                if (!(fabs(bar[i] - numeric) <= 1e-6 * (1 + fabs(numeric)))) {
                    printf("rank %d: d/dx[%d] is %.10g, not %.10g\n", rank, i, bar[i], numeric);
                    bad = 1;
                }
            }
        }
    MPI_Allreduce(mine, all, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (!(fabs(all[0] - all[1]) <= 1e-10 * (1 + fabs(all[1])))) {
        printf("the tangent is %.10g, not %.10g\n", all[0], all[1]);
        bad = 1;
    }
    MPI_Allreduce(&bad, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Finalize();
    return any;
}
