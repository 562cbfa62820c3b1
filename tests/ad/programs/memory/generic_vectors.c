// Vectors of elements whose size is in a variable: bytes, `realloc`, `memcpy` and casts to the elements' type.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
extern int enzyme_dup, enzyme_const;

typedef struct {
    void *data;
    size_t count, room, size;
} Vector;

typedef struct {
    double at, value;
    int tag;
    double weight;
} Sample;

static void *push(Vector *v, const void *element)
{
    if (v->count == v->room) {
        v->room = v->room ? 2 * v->room : 2;
        v->data = realloc(v->data, v->room * v->size);
    }
    void *place = (char *)v->data + v->count * v->size;
    memcpy(place, element, v->size);
    v->count++;
    return place;
}

static void *at(const Vector *v, size_t k)
{
    return (char *)v->data + k * v->size;
}

static double smooth(const double *x, int n)
{
    Vector samples = {NULL, 0, 0, sizeof(Sample)}, sums = {NULL, 0, 0, sizeof(double)};
    for (int i = 0; i < n; i++) {
        Sample s = {x[i], sin(x[i]), i, 1 + x[i] * x[i]};
        Sample *kept = push(&samples, &s);
        kept->value *= 2;
    }
    double total = 0;
    for (size_t i = 0; i < samples.count; i++) {
        const Sample *a = at(&samples, i);
        double sum = 0;
        for (size_t j = 0; j < samples.count; j++) {
            const Sample *b = at(&samples, j);
            double d = a->at - b->at;
            sum += b->weight * b->value * exp(-d * d) * (a->tag < b->tag ? 0.5 : 1);
        }
        push(&sums, &sum);
        total += sum * sum;
    }
    for (size_t i = 1; i < sums.count; i++)
        total += *(double *)at(&sums, i - 1) * *(double *)at(&sums, i);
    free(samples.data);
    free(sums.data);
    return total;
}

int main(void)
{
    enum { n = 7 };
    double x[n], g[n] = {0}, v[n];
    for (int i = 0; i < n; i++)
        x[i] = 0.3 * i - 0.8;
    __enzyme_autodiff((void *)smooth, enzyme_dup, x, g, enzyme_const, n);
    int wrong = 0;
    for (int i = 0; i < n; i++) {
        double kept = x[i], h = 1e-6;
        x[i] = kept + h;
        double above = smooth(x, n);
        x[i] = kept - h;
        double below = smooth(x, n);
        x[i] = kept;
        double expected = (above - below) / (2 * h);
        if (!(fabs(g[i] - expected) < 1e-6 * (1 + fabs(expected)))) {
            printf("component %d: %.12g, differences say %.12g\n", i, g[i], expected);
            wrong = 1;
        }
        memset(v, 0, sizeof v);
        v[i] = 1;
        double t = __enzyme_fwddiff((void *)smooth, enzyme_dup, x, v, enzyme_const, n);
        if (!(fabs(g[i] - t) < 1e-9 * (1 + fabs(t)))) {
            printf("component %d: %.12g, forward mode says %.12g\n", i, g[i], t);
            wrong = 1;
        }
    }
    return wrong;
}
