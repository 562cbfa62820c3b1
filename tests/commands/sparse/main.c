// Compares sparse matrices with dense ones, entry by entry. The exit status is the number of differences.
#include "sparse.h"
#include "sparse_hessian.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void tridiagonal_dense(int n, const double *x, double *y, double *jacobian);
void arrow_dense(int n, const double *x, double *y, double *jacobian);
void blocks_dense(int n, const double *x, double *y, double *jacobian);
void stencil_dense(int n, const double *x, double *y, double *jacobian);
double dense_rows_dense(int n, const double *x, double *y, double *jacobian);
void empty_lines_dense(int n, const double *x, double *y, double *jacobian);
void branches_dense(int n, const double *x, double *y, double *jacobian);
void gather_dense(int n, float scale, const float *x, const int *index, float *y, float *jacobian);
void steps_dense(int n, int count, double *x, double *work, double k, double *jacobian);
double chain_dense(int n, const double *x, double *hessian);
double grid_dense(int n, const double *x, double *hessian);
double hub_dense(int n, const double *x, double *hessian);
void far_dense(int n, const double *x, double *energy, double *hessian);

enum { MOST = 200 };
static double x[MOST], y[MOST], other[MOST], dense[MOST * MOST], values[MOST * MOST];
static int differences;

static void compare(const char *name, const struct adjoin_sparse *p, size_t rows, size_t columns, int status, double tolerance)
{
    int wrong = status != 0 || p->rows != rows || p->columns != columns;
    size_t k = 0;
    for (size_t i = 0; i < rows && !wrong; i++)
        for (size_t j = 0; j < columns; j++) {
            double value = 0;
            if (k < p->row_start[i + 1] && p->column[k] == j)
                value = values[k++];
            double wanted = dense[i * columns + j];
            if (!(fabs(value - wanted) <= tolerance * (1 + fabs(wanted)))) {
                printf("%s (%zu, %zu): %g instead of %g\n", name, i, j, value, wanted);
                wrong = 1;
            }
        }
    wrong |= k != p->entries;
    printf("%-12s %3zu x %3zu: %5zu entries from %zu products, %zu forward%s\n", name, rows, columns, p->entries, p->products, p->forward,
           wrong ? "   WRONG" : "");
    differences += wrong;
}

static void numbers(unsigned seed)
{
    for (int i = 0; i < MOST; i++) {
        seed = seed * 1664525u + 1013904223u;
        x[i] = (seed >> 8) / 16777216.0 - 0.2;
    }
}

/* Values are computed at the point of the pattern, and at another. */
#define JACOBIAN(f, rows, columns)                          \
    do {                                                    \
        struct adjoin_sparse p;                             \
        f##_jacobian_pattern(n, x, y, &p);                  \
        for (unsigned seed = 1; seed < 3; seed++) {         \
            int status = f##_jacobian(n, x, y, &p, values); \
            memcpy(other, y, sizeof y);                     \
            f##_dense(n, x, y, dense);                      \
            differences += memcmp(other, y, sizeof y) != 0; \
            compare(#f, &p, rows, columns, status, 1e-12);  \
            numbers(seed);                                  \
        }                                                   \
        f##_jacobian_free(&p);                              \
    } while (0)

#define HESSIAN(f, size)                                    \
    do {                                                    \
        struct adjoin_sparse p;                             \
        f##_hessian_pattern(n, x, &p);                      \
        for (unsigned seed = 1; seed < 3; seed++) {         \
            int status = f##_hessian(n, x, &p, values);     \
            f##_dense(n, x, dense);                         \
            compare(#f, &p, size, size, status, 1e-10);     \
            numbers(seed);                                  \
        }                                                   \
        f##_hessian_free(&p);                               \
    } while (0)

static void all(int n)
{
    size_t m = (size_t)n;
    numbers(7);
    JACOBIAN(tridiagonal, m, m);
    JACOBIAN(arrow, m, m);
    JACOBIAN(blocks, m, m);
    JACOBIAN(stencil, 5 * m, 5 * m);
    JACOBIAN(dense_rows, m + 1, m);
    JACOBIAN(empty_lines, m, m);
    HESSIAN(chain, m);
    HESSIAN(grid, 5 * m);
    HESSIAN(hub, m);

    /* Partial derivatives that happen to be zero are entries all the same. */
    struct adjoin_sparse p;
    memset(x, 0, sizeof x);
    tridiagonal_jacobian_pattern(n, x, y, &p);
    differences += p.entries != 3 * m - 2;
    numbers(3);
    int status = tridiagonal_jacobian(n, x, y, &p, values);
    tridiagonal_dense(n, x, y, dense);
    compare("zeros", &p, m, m, status, 1e-12);
    /* A pattern of another size does not fit. */
    differences += tridiagonal_jacobian(n - 1, x, y, &p, values) != 1;
    tridiagonal_jacobian_free(&p);
    differences += p.entries != 0 || p.column != NULL;

    /* Another way of control: found out, and then right again. */
    branches_jacobian_pattern(n, x, y, &p);
    numbers(99);
    status = branches_jacobian(n, x, y, &p, values);
    if (n > 2 && status != 1) {
        printf("branches: another way was not found out\n");
        differences++;
    }
    branches_jacobian_free(&p);
    branches_jacobian_pattern(n, x, y, &p);
    status = branches_jacobian(n, x, y, &p, values);
    branches_dense(n, x, y, dense);
    compare("branches", &p, m, m, status, 1e-12);
    branches_jacobian_free(&p);

    /* The number `scale` is the first column. */
    float fx[MOST], fy[MOST], fdense[MOST * MOST];
    int index[MOST];
    for (int i = 0; i < n; i++) {
        fx[i] = (float)x[i];
        index[i] = i * 5 % n;
    }
    gather_jacobian_pattern(n, 2.5f, fx, index, fy, &p);
    status = gather_jacobian(n, 2.5f, fx, index, fy, &p, values);
    gather_dense(n, 2.5f, fx, index, fy, fdense);
    for (size_t i = 0; i < m * (m + 1); i++)
        dense[i] = fdense[i];
    compare("gather", &p, m, m + 1, status, 1e-6);
    gather_jacobian_free(&p);

    /* Before and after are the same memory. */
    double state[MOST], work[MOST];
    memcpy(state, x, sizeof x);
    steps_jacobian_pattern(n, 2, state, work, 0.1, &p);
    differences += memcmp(state, x, sizeof x) != 0;
    status = steps_jacobian(n, 2, state, work, 0.1, &p, values);
    memcpy(other, x, sizeof x);
    steps_dense(n, 2, other, work, 0.1, dense);
    differences += memcmp(state, other, sizeof state) != 0;
    compare("steps", &p, m, m, status, 1e-12);
    steps_jacobian_free(&p);

    double energy;
    far_hessian_pattern(n, x, &energy, &p);
    status = far_hessian(n, x, &energy, &p, values);
    far_dense(n, x, &energy, dense);
    compare("far", &p, m, m, status, 1e-12);
    far_hessian_free(&p);
}

int main(void)
{
    all(33);
    all(8);
    all(2);
    return differences;
}
