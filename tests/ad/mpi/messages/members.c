/* Ranks and sizes that MPI writes to members of structs on the heap, beside pointers to buffers; tables of counts that are gathered; a communicator that a library keeps. Also in two halves. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
void *__enzyme_augmentfwd(void *, ...);
void __enzyme_reverse(void *, ...);

enum { N = 5 };
static int rank, size;
static MPI_Comm kept = MPI_COMM_NULL;
static int users;

typedef struct {
    MPI_Comm comm;
    int rank, size, n;
    int *counts, *displacements;
    double *work;
} Plan;

static Plan *create(int n)
{
    Plan *p = malloc(sizeof *p);
    if (kept == MPI_COMM_NULL)
        MPI_Comm_dup(MPI_COMM_WORLD, &kept);
    users++;
    p->comm = kept;
    p->n = n;
    MPI_Comm_rank(kept, &p->rank);
    MPI_Comm_size(kept, &p->size);
    p->counts = malloc(p->size * sizeof *p->counts);
    p->displacements = malloc(p->size * sizeof *p->displacements);
    MPI_Allgather(&n, 1, MPI_INT, p->counts, 1, MPI_INT, kept);
    int all = 0;
    for (int r = 0; r < p->size; r++) {
        p->displacements[r] = all;
        all += p->counts[r];
    }
    p->work = malloc(all * sizeof *p->work);
    return p;
}

static double execute(Plan *p, const double *in)
{
    double s = 0;
    MPI_Allgatherv(in, p->n, MPI_DOUBLE, p->work, p->counts, p->displacements, MPI_DOUBLE, p->comm);
    int all = p->displacements[p->size - 1] + p->counts[p->size - 1];
    for (int i = 0; i < all; i++)
        for (int j = 0; j < p->n; j++)
            s += p->work[i] * in[j] / (1 + abs(i - p->displacements[p->rank] - j));
    return s;
}

static void destroy(Plan *p)
{
    free(p->counts);
    free(p->displacements);
    free(p->work);
    free(p);
    if (--users == 0)
        MPI_Comm_free(&kept);
}

static double objective(double *x)
{
    Plan *a = create(2 + rank % 2), *b = create(N - rank % 3);
    double s = execute(a, x + 1) + execute(b, x);
    destroy(a);
    s += execute(b, x) * x[0];
    destroy(b);
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
    double x[N], bar[N], halves[N], dot[N], mine[2] = {0, 0}, all[2];
    int bad = 0, any;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < N; i++) {
        x[i] = 0.8 + 0.3 * sin(1.7 * i + 2.3 * rank + 0.4);
        dot[i] = cos(0.9 * i + 1.1 * rank);
        bar[i] = halves[i] = 0;
    }
    __enzyme_autodiff((void *)objective, x, bar);
    mine[0] = __enzyme_fwddiff((void *)objective, x, dot);
    void *tape = __enzyme_augmentfwd((void *)objective, x, halves);
    __enzyme_reverse((void *)objective, x, halves, 1.0, tape);
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
                if (!(fabs(bar[i] - numeric) <= 1e-6 * (1 + fabs(numeric))) || !(fabs(bar[i] - halves[i]) <= 1e-12 * (1 + fabs(bar[i])))) {
                    printf("rank %d: d/dx[%d] is %.10g and %.10g, not %.10g\n", rank, i, bar[i], halves[i], numeric);
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
