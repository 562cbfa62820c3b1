// Matrices and vectors in structs: read in loops that may not run (then a struct may not be there at all), given twice, overlapping, with shadows that are missing or shared, changed by the function.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double __enzyme_autodiff(void *, ...);
extern int enzyme_dup, enzyme_const;

typedef struct {
    int rows, cols;
    double *data;
} matrix;

static double at(const matrix *m, int i, int j) { return m->data[i * m->cols + j]; }

/* A product, whose first factor says how large it is. */
static double product(const matrix *a, const matrix *b, matrix *c)
{
    double sum = 0;
    for (int i = 0; i < a->rows; i++)
        for (int j = 0; j < b->cols; j++) {
            double s = 0;
            for (int k = 0; k < a->cols; k++)
                s += at(a, i, k) * at(b, k, j);
            c->data[i * c->cols + j] = s;
            sum += s * s;
        }
    return sum;
}

/* The members change while the function runs. */
static double walk(matrix *a, const matrix *b, matrix *c)
{
    double sum = 0;
    (void)c;
    for (int i = 0; i < a->rows; i++) {
        for (int j = 0; j < a->cols; j++) {
            a->data[j] += b->data[j] * a->data[j];
            sum += sin(a->data[j]);
        }
        a->data += a->cols;
        if (i % 2)
            a->cols--;
    }
    return sum;
}

/* Only sometimes is the second one used. */
static double optional(matrix *a, const matrix *b, matrix *c)
{
    double sum = 0;
    for (int i = 0; i < a->rows * a->cols; i++) {
        if (b)
            a->data[i] *= b->data[i % b->cols];
        sum += a->data[i] * a->data[i] * (c->data ? c->data[0] : 1.0);
    }
    return sum;
}

enum { MOST = 400 };

static double memory[MOST], bars[MOST];
static int offsets[3], sizes[3][2], missing, exists = 1;

static double value(int which)
{
    static double copy[MOST];
    matrix m[3];
    memcpy(copy, memory, sizeof copy);
    for (int k = 0; k < 3; k++)
        m[k] = (matrix){sizes[k][0], sizes[k][1], copy + offsets[k]};
    switch (which) {
    case 0: return product(&m[0], exists ? &m[1] : NULL, &m[2]);
    case 1: return walk(&m[0], &m[1], &m[2]);
    default: return optional(&m[0], exists ? &m[1] : NULL, &m[2]);
    }
}

static int check(const char *what, int which)
{
    static double copy[MOST];
    matrix m[3], s[3];
    int wrong = 0;
    for (int i = 0; i < MOST; i++) {
        memory[i] = sin(2.3 * i) + 0.3;
        bars[i] = 0;
    }
    memcpy(copy, memory, sizeof copy);
    for (int k = 0; k < 3; k++) {
        m[k] = (matrix){sizes[k][0], sizes[k][1], copy + offsets[k]};
        s[k] = (matrix){sizes[k][0], sizes[k][1], k == missing ? NULL : bars + offsets[k]};
    }
    matrix *second = exists ? &m[1] : NULL, *shadow = exists ? &s[1] : NULL;
    switch (which) {
    case 0: __enzyme_autodiff((void *)product, enzyme_dup, &m[0], &s[0], enzyme_dup, second, shadow, enzyme_dup, &m[2], &s[2]); break;
    case 1: __enzyme_autodiff((void *)walk, enzyme_dup, &m[0], &s[0], enzyme_dup, second, shadow, enzyme_dup, &m[2], &s[2]); break;
    default: __enzyme_autodiff((void *)optional, enzyme_dup, &m[0], &s[0], enzyme_dup, second, shadow, enzyme_dup, &m[2], &s[2]); break;
    }
    for (int i = 0; i < MOST; i += 7) {
        /* What has no shadow is constant. */
        if (missing >= 0 && i >= offsets[missing] && i < offsets[missing] + 100)
            continue;
        double kept = memory[i], h = 1e-6;
        memory[i] = kept + h;
        double more = value(which);
        memory[i] = kept - h;
        double less = value(which), slope = (more - less) / (2 * h);
        memory[i] = kept;
        if (fabs(slope - bars[i]) > 1e-5 * (1 + fabs(slope))) {
            printf("%s, function %d: element %d is %.9g, not %.9g\n", what, which, i, bars[i], slope);
            wrong = 1;
        }
    }
    return wrong;
}

static void layout(int first, int second, int third, int rows, int middle, int cols)
{
    int all[3][2] = {{rows, middle}, {middle, cols}, {rows, cols}};
    offsets[0] = first, offsets[1] = second, offsets[2] = third;
    memcpy(sizes, all, sizeof sizes);
    missing = -1;
    exists = 1;
}

int main(void)
{
    int wrong = 0;
    for (int which = 0; which < 3; which++) {
        layout(0, 100, 200, 9, 8, 7);
        wrong |= check("apart", which);
        layout(200, 100, 0, 5, 9, 6);
        wrong |= check("apart, the other way round", which);
        layout(0, 3, 200, 6, 6, 6);
        wrong |= check("factors overlap", which);
        layout(0, 100, 110, 6, 6, 6);
        wrong |= check("the result overlaps a factor", which);
        layout(0, 0, 0, 7, 7, 7);
        wrong |= check("all the same", which);
        layout(0, 100, 200, 8, 8, 8);
        missing = 1;
        wrong |= check("a shadow is missing", which);
        layout(0, 100, 200, 0, 5, 5);
        wrong |= check("no rows", which);
        layout(0, 100, 200, 5, 0, 5);
        wrong |= check("nothing to add up", which);
    }
    /* Nothing is read of the second one. */
    layout(0, 100, 200, 0, 5, 5);
    exists = 0;
    wrong |= check("not there", 0);
    layout(0, 100, 200, 5, 5, 5);
    exists = 0;
    wrong |= check("not there", 2);
    /* Gradients of two arguments may be collected in one place. */
    static double x[36], y[36], z[36], both[36], one[36], two[36], z_bar[36];
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < 36; i++)
            x[i] = cos(i), y[i] = sin(i), z_bar[i] = 0;
        matrix a = {6, 6, x}, b = {6, 6, y}, c = {6, 6, z}, as = {6, 6, pass ? both : one}, bs = {6, 6, pass ? both : two}, cs = {6, 6, z_bar};
        __enzyme_autodiff((void *)product, enzyme_dup, &a, &as, enzyme_dup, &b, &bs, enzyme_dup, &c, &cs);
    }
    for (int i = 0; i < 36; i++)
        if (fabs(both[i] - one[i] - two[i]) > 1e-12 * (1 + fabs(both[i]))) {
            printf("shared shadows do not add up\n");
            wrong = 1;
        }
    return wrong;
}
