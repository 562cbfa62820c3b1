/* Tasks that do little with what they read: halves of a sum, tiles of a product, chunks of a loop; beside them regions that share out, and one with both. */
#include "../../check.h"

static double halves(const double *x, const double *w, double *y, int from, int to)
{
    double a = 0, b = 0;
    int middle = (from + to) / 2;
    if (to - from <= 4) {
        for (int i = from; i < to; i++) {
            y[i] = w[i % 3] * x[i] * x[i];
            a += y[i] * x[from];
        }
        return a;
    }
#pragma omp task shared(a)
    a = halves(x, w, y, from, middle);
#pragma omp task shared(b)
    b = halves(x, w, y, middle, to);
#pragma omp taskwait
    return a + b;
}

static double sums(double *x, int n)
{
    double y[64], r = 0;
#pragma omp parallel
#pragma omp single
    r = halves(x, x, y, 0, n);
#pragma omp parallel for reduction(+ : r)
    for (int i = 0; i < n; i++)
        r += y[i] * x[0];
    return r;
}

enum { B = 3 };

static void multiply(const double *a, const double *b, double *c, int ld)
{
    for (int i = 0; i < B; i++)
        for (int j = 0; j < B; j++)
            for (int k = 0; k < B; k++)
                c[i * ld + j] += a[i * ld + k] * b[k * ld + j];
}

static double tiles(double *x, int n)
{
    double c[36] = {0}, s = 0;
    (void)n;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            for (int k = 0; k < 2; k++) {
                double *to = &c[i * B * 6 + j * B];
#pragma omp task depend(inout : to[0]) firstprivate(to)
                multiply(&x[i * B * 6 + k * B], &x[k * B * 6 + j * B], to, 6);
            }
    for (int i = 0; i < 36; i++)
        s += c[i] * c[i] * (1 + i % 4);
    return s;
}

/* One region with tasks and a loop that is shared out. */
static double both(double *x, int n)
{
    double y[64], s = 0;
#pragma omp parallel
    {
#pragma omp single
        for (int i = 0; i < n; i += 5) {
#pragma omp task firstprivate(i)
            for (int j = i; j < n && j < i + 5; j++)
                y[j] = x[j] * x[n - 1 - j];
        }
#pragma omp for reduction(+ : s)
        for (int i = 0; i < n; i++)
            s += y[i] * y[i] * x[i / 2];
    }
    return s;
}

/* An inactive task between two others, and a number that each task has of its own. */
static double in_between(double *x, int n)
{
    double u[4] = {0}, scale = x[1];
    int seen = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(out : u) firstprivate(scale)
        for (int i = 0; i < n; i++)
            u[i % 4] += x[i] * scale;
#pragma omp task depend(inout : u) shared(seen)
        seen = 1;
#pragma omp task depend(inout : u) firstprivate(scale)
        for (int i = 0; i < n; i++)
            u[i % 4] *= 0.3 + scale * x[i];
    }
    return u[0] + u[1] * u[2] + u[3] * seen;
}

GRADIENT(sums)
GRADIENT(tiles)
GRADIENT(both)
GRADIENT(in_between)
int main(void)
{
    return CHECK(sums, 40) | CHECK(tiles, 36) | CHECK(both, 33) | CHECK(in_between, 11);
}
