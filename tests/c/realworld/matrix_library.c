// flags: -lm
// A matrix library with error codes, goto clean-up and a small test driver.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum { MAT_OK, MAT_NO_MEMORY, MAT_SHAPE, MAT_SINGULAR, MAT_ARGUMENT } mat_status;

typedef struct {
    size_t rows, columns;
    double *data;
} matrix;

static long allocations, budget = 1000000;

static const char *mat_error(mat_status s)
{
    static const char *const names[] = {"ok", "out of memory", "shapes differ", "singular", "bad argument"};
    return names[s];
}

static mat_status mat_create(matrix *m, size_t rows, size_t columns)
{
    if (m == NULL || rows == 0 || columns == 0)
        return MAT_ARGUMENT;
    if (budget-- <= 0)
        return MAT_NO_MEMORY; // simulated failure
    m->data = calloc(rows * columns, sizeof *m->data);
    if (m->data == NULL)
        return MAT_NO_MEMORY;
    m->rows = rows;
    m->columns = columns;
    allocations++;
    return MAT_OK;
}

static void mat_destroy(matrix *m)
{
    if (m->data) {
        free(m->data);
        allocations--;
    }
    memset(m, 0, sizeof *m);
}

static inline double *mat_at(const matrix *m, size_t i, size_t j) { return &m->data[i * m->columns + j]; }

static mat_status mat_copy(matrix *out, const matrix *in)
{
    mat_status s = mat_create(out, in->rows, in->columns);
    if (s == MAT_OK)
        memcpy(out->data, in->data, in->rows * in->columns * sizeof *in->data);
    return s;
}

static mat_status mat_multiply(matrix *out, const matrix *a, const matrix *b)
{
    if (a->columns != b->rows)
        return MAT_SHAPE;
    mat_status s = mat_create(out, a->rows, b->columns);
    if (s)
        return s;
    for (size_t i = 0; i < a->rows; i++)
        for (size_t k = 0; k < a->columns; k++) {
            double f = *mat_at(a, i, k);
            for (size_t j = 0; j < b->columns; j++)
                *mat_at(out, i, j) += f * *mat_at(b, k, j);
        }
    return MAT_OK;
}

static mat_status mat_transpose(matrix *out, const matrix *a)
{
    mat_status s = mat_create(out, a->columns, a->rows);
    for (size_t i = 0; s == MAT_OK && i < a->rows; i++)
        for (size_t j = 0; j < a->columns; j++)
            *mat_at(out, j, i) = *mat_at(a, i, j);
    return s;
}

static mat_status mat_solve(matrix *x, const matrix *a, const matrix *b)
{
    matrix lu = {0}, rhs = {0};
    mat_status status = MAT_SHAPE;
    size_t n = a->rows;
    if (a->rows != a->columns || b->rows != n)
        goto out;
    if ((status = mat_copy(&lu, a)) != MAT_OK)
        goto out;
    if ((status = mat_copy(&rhs, b)) != MAT_OK)
        goto free_lu;
    for (size_t k = 0; k < n; k++) {
        size_t p = k;
        for (size_t i = k + 1; i < n; i++)
            if (fabs(*mat_at(&lu, i, k)) > fabs(*mat_at(&lu, p, k)))
                p = i;
        if (fabs(*mat_at(&lu, p, k)) < 1e-12) {
            status = MAT_SINGULAR;
            goto free_rhs;
        }
        for (size_t j = 0; p != k && j < n; j++) {
            double t = *mat_at(&lu, k, j);
            *mat_at(&lu, k, j) = *mat_at(&lu, p, j);
            *mat_at(&lu, p, j) = t;
        }
        for (size_t j = 0; p != k && j < rhs.columns; j++) {
            double t = *mat_at(&rhs, k, j);
            *mat_at(&rhs, k, j) = *mat_at(&rhs, p, j);
            *mat_at(&rhs, p, j) = t;
        }
        for (size_t i = k + 1; i < n; i++) {
            double f = *mat_at(&lu, i, k) / *mat_at(&lu, k, k);
            for (size_t j = k; j < n; j++)
                *mat_at(&lu, i, j) -= f * *mat_at(&lu, k, j);
            for (size_t j = 0; j < rhs.columns; j++)
                *mat_at(&rhs, i, j) -= f * *mat_at(&rhs, k, j);
        }
    }
    for (size_t k = n; k-- > 0;)
        for (size_t j = 0; j < rhs.columns; j++) {
            double s = *mat_at(&rhs, k, j);
            for (size_t i = k + 1; i < n; i++)
                s -= *mat_at(&lu, k, i) * *mat_at(&rhs, i, j);
            *mat_at(&rhs, k, j) = s / *mat_at(&lu, k, k);
        }
    *x = rhs; // hand the storage over
    rhs.data = NULL;
free_rhs:
    mat_destroy(&rhs);
free_lu:
    mat_destroy(&lu);
out:
    return status;
}

// Solves min |a x - b| by the normal equations.
static mat_status mat_least_squares(matrix *x, const matrix *a, const matrix *b)
{
    matrix at = {0}, ata = {0}, atb = {0};
    mat_status s;
    if ((s = mat_transpose(&at, a)))
        goto done;
    if ((s = mat_multiply(&ata, &at, a)))
        goto done;
    if ((s = mat_multiply(&atb, &at, b)))
        goto done;
    s = mat_solve(x, &ata, &atb);
done:
    mat_destroy(&at);
    mat_destroy(&ata);
    mat_destroy(&atb);
    return s;
}

static double mat_difference(const matrix *a, const matrix *b)
{
    double worst = 0;
    for (size_t i = 0; i < a->rows * a->columns; i++)
        worst = fmax(worst, fabs(a->data[i] - b->data[i]));
    return worst;
}

int main(void)
{
    int bad = 0;
    matrix a = {0}, b = {0}, x = {0}, y = {0};
    if (mat_create(&a, 5, 5) || mat_create(&b, 5, 2))
        return 2;
    for (size_t i = 0; i < 5; i++) {
        for (size_t j = 0; j < 5; j++)
            *mat_at(&a, i, j) = (double)((i * 3 + j * j) % 7) + (i == j);
        *mat_at(&b, i, 0) = (double)i;
        *mat_at(&b, i, 1) = 1;
    }
    mat_status s = mat_solve(&x, &a, &b);
    printf("solve: %s\n", mat_error(s));
    bad += s != MAT_OK;
    s = mat_multiply(&y, &a, &x);
    bad += s != MAT_OK || mat_difference(&y, &b) > 1e-12;
    printf("%.10f %.10f\n", *mat_at(&x, 0, 0), *mat_at(&x, 4, 1));
    mat_destroy(&x);
    mat_destroy(&y);
    s = mat_multiply(&y, &b, &a);
    printf("multiply: %s\n", mat_error(s));
    bad += s != MAT_SHAPE;
    memset(a.data, 0, 25 * sizeof *a.data);
    s = mat_solve(&x, &a, &b);
    printf("solve: %s\n", mat_error(s));
    bad += s != MAT_SINGULAR;
    bad += mat_create(&x, 0, 3) != MAT_ARGUMENT;
    mat_destroy(&a);
    mat_destroy(&b);
    if (mat_create(&a, 20, 3) || mat_create(&b, 20, 1))
        return 2;
    for (size_t i = 0; i < 20; i++) {
        double t = (double)i / 10;
        *mat_at(&a, i, 0) = 1;
        *mat_at(&a, i, 1) = t;
        *mat_at(&a, i, 2) = t * t;
        *mat_at(&b, i, 0) = 4 - 3 * t + 2 * t * t;
    }
    for (budget = 0; budget < 10; budget++) { // fail at every allocation in turn
        long saved = budget;
        s = mat_least_squares(&x, &a, &b);
        budget = saved;
        printf("%ld %s live %ld\n", budget, mat_error(s), allocations);
        if (s == MAT_OK)
            break;
        bad += allocations != 2;
    }
    bad += s != MAT_OK || fabs(x.data[0] - 4) > 1e-9 || fabs(x.data[2] - 2) > 1e-9;
    mat_destroy(&x);
    mat_destroy(&a);
    mat_destroy(&b);
    printf("%d bad, %ld live\n", bad, allocations);
    return bad || allocations;
}
