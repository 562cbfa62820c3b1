/* Struct assignment through pointers, arrays of structs swapped and rotated, memcpy of parts, offsetof. */
// needs: inline
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

typedef struct { char tag; double v; float f; int n; double w[2]; } record;
double __enzyme_autodiff(void *, ...);
extern int enzyme_dup;

static void swap_records(record *a, record *b)
{
    record t = *a;
    *a = *b;
    *b = t;
}

double juggle(const double *x)
{
    record r[4], copy[4], *p = r;
    for (int i = 0; i < 4; i++, p++)
        *p = (record){'a' + i, x[i], (float)x[i], i, {x[i] * x[i], 1}};
    swap_records(&r[0], &r[3]);
    memcpy(copy, r, sizeof r);
    memcpy(&copy[1].w, &r[2].w, sizeof copy[1].w);
    memcpy((char *)&copy[2] + offsetof(record, v), (char *)&r[0] + offsetof(record, v), sizeof(double));
    memmove(copy, copy + 1, 2 * sizeof *copy);
    double s = 0;
    for (record *q = copy; q < copy + 4; ++q)
        s += q->v * q->w[0] * (q->n + 1) + q->f * (q->tag - 'a') + q->w[1];
    return s;
}

int main(void)
{
    double x[4] = {0.5, -0.25, 1.5, 0.75}, g[4] = {0};
    __enzyme_autodiff((void *)juggle, enzyme_dup, x, g);
    for (int i = 0; i < 4; i++) {
        double k = x[i], h = 1.0 / 1024;
        x[i] = k + h;
        double a = juggle(x);
        x[i] = k - h;
        double b = juggle(x);
        x[i] = k;
        if (!(fabs(g[i] - (a - b) / (2 * h)) < 1e-4)) {
            printf("x[%d]: %g vs %g\n", i, g[i], (a - b) / (2 * h));
            return 1;
        }
    }
    return 0;
}
