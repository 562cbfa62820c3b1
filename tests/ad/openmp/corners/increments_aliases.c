// Two names for overlapping memory: each injective by itself, together not.
#include "../../check.h"
struct view {
    const double *data;
    int n;
};
static void sums(const double *a, const double *b, double *out, int n)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        out[i] = a[i] * a[i] + sin(b[i]);
}
static double shifted(double *x, int n)
{
    double y[64], s = 0;
    sums(x, x + 1, y, n - 1);
    for (int i = 0; i < n - 1; i++)
        s += y[i] * (i + 1);
    return s;
}
static double views(const struct view *a, const struct view *b)
{
    double s = 0;
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < a->n; i++)
        s += a->data[i] * b->data[b->n - 1 - i];
    return s;
}
static double through_structs(double *x, int n)
{
    struct view a = {x, n}, b = {x, n}, c = {x + n / 2, n / 2}, d = {x, n / 2};
    return views(&a, &b) * views(&c, &d);
}
static double chosen(double *x, int n)
{
    double y[64], s = 0, other[64];
    memcpy(other, x, n * sizeof *other);
    const double *p = x[0] > 0 ? x : other, *q = x[1] > 0 ? x : other;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        y[i] = p[i] * q[n - 1 - i];
    for (int i = 0; i < n; i++)
        s += y[i] * y[i];
    return s;
}
/* In place, with input and output the same array but at a distance. */
static void shift_left(double *to, const double *from, int n)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        to[i] = from[i] * from[i];
}
static double disjoint_parts(double *x, int n)
{
    double w[64], s = 0;
    memcpy(w, x, n * sizeof *w);
    shift_left(w, w + n / 2, n / 2);
    shift_left(w, w, n / 2);
    for (int i = 0; i < n; i++)
        s += w[i] * (1 + i % 3);
    return s;
}
GRADIENT(shifted)
GRADIENT(through_structs)
GRADIENT(chosen)
GRADIENT(disjoint_parts)
int main(void) { return CHECK(shifted, 50) | CHECK(through_structs, 26) | CHECK(chosen, 31) | CHECK(disjoint_parts, 22); }
