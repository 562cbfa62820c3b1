// Pointers that hold small integers and marks, and pointers that are computed from the address of a block as an integer: neither keeps a function from being differentiated.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

extern int enzyme_dup, enzyme_const;
double __enzyme_autodiff(void *, ...);

struct entry { void *tag; double v; const struct entry *next; };
#define LAST ((const struct entry *)-1)

static double f(const double *x, int n)
{
    struct entry *table = malloc((n + 1) * sizeof *table);
    for (int i = 0; i < n; i++) {
        table[i].tag = (void *)(intptr_t)(i * 7 % n);
        table[i].v = x[i] * x[i];
        table[i].next = i + 1 < n ? &table[i + 1] : LAST;
    }
    double s = 0;
    for (const struct entry *e = n > 0 ? table : LAST; e != LAST; e = e->next) {
        int other = (int)(intptr_t)e->tag;
        s += e->v * table[other].v;
    }
    uintptr_t base = (uintptr_t)table;
    for (int i = 0; i < n; i++) {
        struct entry *e = (struct entry *)(base + (uintptr_t)(n - 1 - i) * sizeof *table);
        s += sin(e->v) * x[i];
    }
    free(table);
    return s;
}

int main(void)
{
    for (int n = 0; n < 9; n++) {
        double x[9], g[9] = {0};
        for (int i = 0; i < 9; i++)
            x[i] = 0.4 + 0.3 * cos(2.0 * i);
        __enzyme_autodiff((void *)f, enzyme_dup, x, g, enzyme_const, n);
        for (int i = 0; i < n; i++) {
            double h = 1e-6, keep = x[i];
            x[i] = keep + h;
            double up = f(x, n);
            x[i] = keep - h;
            double difference = (up - f(x, n)) / (2 * h);
            x[i] = keep;
            if (fabs(g[i] - difference) > 1e-6 * (1 + fabs(difference))) {
                printf("n = %d: %g instead of %g\n", n, g[i], difference);
                return 1;
            }
        }
    }
    printf("ok\n");
    return 0;
}
