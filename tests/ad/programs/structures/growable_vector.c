/* A growable array with realloc, as a struct with push and pop. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct { double *data; size_t size, capacity; } vector;
void __enzyme_autodiff(void *, ...);

static void vector_push(vector *v, double x)
{
    if (v->size == v->capacity) {
        v->capacity = v->capacity ? 2 * v->capacity : 2;
        v->data = realloc(v->data, v->capacity * sizeof *v->data);
        if (!v->data)
            abort();
    }
    v->data[v->size++] = x;
}

static double vector_pop(vector *v) { return v->data[--v->size]; }

double sieve(const double *x, int n)
{
    vector v = {0};
    for (int i = 0; i < n; i++) {
        vector_push(&v, x[i]);
        if (i % 3 == 2) {
            double b = vector_pop(&v), a = vector_pop(&v);
            vector_push(&v, a * b);
        }
        vector_push(&v, sin(x[i]));
    }
    double s = 0;
    for (size_t i = 0; i < v.size; i++)
        s += v.data[i] * (double)(i + 1);
    free(v.data);
    return s * s;
}

int main(void)
{
    double x[11], g[11] = {0};
    for (int i = 0; i < 11; i++)
        x[i] = 0.3 * i - 1;
    __enzyme_autodiff((void *)sieve, x, g, 11);
    for (int i = 0; i < 11; i++) {
        double k = x[i];
        x[i] = k + 1e-6;
        double a = sieve(x, 11);
        x[i] = k - 1e-6;
        double b = sieve(x, 11);
        x[i] = k;
        if (!(fabs(g[i] - (a - b) / 2e-6) < 1e-5 * (1 + fabs(g[i])))) {
            printf("x[%d]: %g vs %g\n", i, g[i], (a - b) / 2e-6);
            return 1;
        }
    }
    return 0;
}
