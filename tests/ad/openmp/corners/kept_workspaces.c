// Workspaces that variables at file scope keep between calls, used in regions and in functions that they call.
// needs: inline
#include "../../check.h"
#include <stdlib.h>
static double *squares, *pair[2];
static struct {
    double *a, *b;
    int room;
} work;
static void *room(void *old, int n)
{
    void *p = realloc(old, (unsigned long)n * sizeof(double));
    if (!p)
        exit(3);
    return p;
}
static void put(int i, double v, int depth)
{
    if (depth > 0)
        put(i, v, depth - 1);
    else
        squares[i] = v * v;
}
static double get(int i, int depth) { return depth > 0 ? get(i, depth - 1) : squares[i]; }
static double f(double *x, int n)
{
    double s = 0;
    if (!squares) {
        squares = malloc((unsigned long)n * sizeof *squares);
        pair[0] = malloc((unsigned long)n * sizeof *squares);
        pair[1] = malloc((unsigned long)n * sizeof *squares);
    }
    if (work.room < n) {
        work.a = room(work.a, n);
        free(work.b);
        work.b = malloc((unsigned long)n * sizeof(double));
        work.room = n;
    }
#pragma omp parallel for schedule(static)
    for (int i = 0; i < n; i++)
        put(i, x[i], 3);
#pragma omp parallel
    {
#pragma omp for
        for (int i = 0; i < n; i++) {
            pair[i & 1][i] = x[i];
            work.a[i] = x[i] * x[(i + 2) % n];
            work.b[i] = 2 * x[i];
        }
#pragma omp for reduction(+ : s) schedule(static, 1)
        for (int i = 0; i < n; i++)
            s += get(n - 1 - i, 2) * pair[i & 1][i] * work.a[i] + work.b[(i + 1) % n];
    }
    work.room /= 2;
    return s;
}
GRADIENT(f)
int main(void) { return CHECK(f, 20); }
