/* Reductions with operations of the program's own: means and spreads that are merged, products of matrices, norms. */
#include <math.h>
#include <mpi.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

enum { N = 8 };
static int rank, size;

struct moments {
    double mean, spread;
    int count;
};
static MPI_Op merge, times, norm;
static MPI_Datatype moments, matrix;

static void merge_moments(void *in, void *both, int *count, MPI_Datatype *type)
{
    const struct moments *a = in;
    struct moments *b = both;
    (void)type;
    for (int k = 0; k < *count; k++) {
        int n = a[k].count + b[k].count;
        double d = b[k].mean - a[k].mean;
        b[k].spread += a[k].spread + d * d * a[k].count * b[k].count / n;
        b[k].mean = (a[k].count * a[k].mean + b[k].count * b[k].mean) / n;
        b[k].count = n;
    }
}

static void multiply(double *a, double *b, int *count, MPI_Datatype *type)
{
    (void)type;
    for (int k = 0; k < *count; k++, a += 4, b += 4) {
        double c[4];
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < 2; j++)
                c[2 * i + j] = a[2 * i] * b[j] + a[2 * i + 1] * b[2 + j];
        memcpy(b, c, sizeof c);
    }
}

static void hypotenuse(void *in, void *both, int *count, MPI_Datatype *type)
{
    double *a = in, *b = both;
    (void)type;
    for (int k = 0; k < *count; k++)
        b[k] = sqrt(a[k] * a[k] + b[k] * b[k]);
}

static void prepare(void)
{
    int lengths[2] = {2, 1};
    MPI_Aint places[2] = {0, offsetof(struct moments, count)};
    MPI_Datatype types[2] = {MPI_DOUBLE, MPI_INT}, raw;
    MPI_Type_create_struct(2, lengths, places, types, &raw);
    MPI_Type_create_resized(raw, 0, sizeof(struct moments), &moments);
    MPI_Type_commit(&moments);
    MPI_Type_free(&raw);
    MPI_Type_contiguous(4, MPI_DOUBLE, &matrix);
    MPI_Type_commit(&matrix);
    MPI_Op_create(merge_moments, 1, &merge);
    MPI_Op_create((MPI_User_function *)(void (*)(void))multiply, 0, &times);
    MPI_Op_create(hypotenuse, 1, &norm);
}

static double objective(double *x)
{
    struct moments mine = {0, 0, 0}, all, last = {1, 1, 1};
    for (int i = 0; i < 4 + rank; i++) {
        double v = x[i % N] * (1 + 0.1 * i), d = v - mine.mean;
        mine.count++;
        mine.mean += d / mine.count;
        mine.spread += d * (v - mine.mean);
    }
    MPI_Allreduce(&mine, &all, 1, moments, merge, MPI_COMM_WORLD);
    MPI_Reduce(&mine, &last, 1, moments, merge, size - 1, MPI_COMM_WORLD);
    double s = sqrt(all.spread / all.count) + all.mean + (rank == size - 1 ? last.spread * last.mean : 0);
    double scan[8], before[8] = {0}, product[8], two[2], *many = malloc(2 * (size_t)size * sizeof *many);
    MPI_Request request;
    MPI_Scan(x, scan, 2, matrix, times, MPI_COMM_WORLD);
    MPI_Exscan(x, before, 1, matrix, times, MPI_COMM_WORLD);
    MPI_Iallreduce(x, product, 2, matrix, times, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int i = 0; i < 8; i++)
        s += 0.01 * ((i + 1) * scan[i] + product[i] * product[i]) + (rank > 0 ? before[i] * (1 + 0.1 * i) : 0);
    for (int i = 0; i < 2 * size; i++)
        many[i] = x[i % N] + i;
    MPI_Reduce_scatter_block(many, two, 2, MPI_DOUBLE, norm, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, many, 2 * size, MPI_DOUBLE, norm, MPI_COMM_WORLD);
    s += two[0] * two[1] + many[0] + many[2 * size - 1];
    free(many);
    return s;
}

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
    prepare();
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
    MPI_Op_free(&merge);
    MPI_Op_free(&times);
    MPI_Op_free(&norm);
    MPI_Type_free(&moments);
    MPI_Type_free(&matrix);
    MPI_Finalize();
    return any;
}
