// Threads write and read memory that was set up before the derivative was called: pointers in structs and rows, also in functions that a region calls.
#include "../../check.h"
#include <stdlib.h>
#define N 20
typedef struct node {
    struct node *next;
    double *data;
} node;
static node *list;
static double **rows;
static struct grid {
    double *a, *b;
} *grid;
static void *room(unsigned long size)
{
    void *p = malloc(size);
    if (!p)
        exit(3);
    return p;
}
static void set_up(void)
{
    grid = room(sizeof *grid);
    grid->a = room(N * sizeof(double));
    grid->b = room(N * sizeof(double));
    rows = room(N * sizeof *rows);
    for (int i = 0; i < N; i++)
        rows[i] = room(3 * sizeof(double));
    for (int k = 0; k < 4; k++) {
        node *first = room(sizeof *first);
        first->next = list;
        first->data = room(N * sizeof(double));
        list = first;
    }
}
static double walk(node *at, int i, double x)
{
    if (!at)
        return 0;
    at->data[i] = x * x;
    return at->data[i] + walk(at->next, i, 0.9 * x);
}
static void put(int i, double v, int depth)
{
    if (depth > 0)
        put(i, v, depth - 1);
    else
        grid->a[i] = v * v;
}
static double get(int i, int depth) { return depth > 0 ? get(i, depth - 1) : grid->a[i]; }
static double f(double *x, int n)
{
    double s = 0;
#pragma omp parallel for reduction(+ : s) schedule(static)
    for (int i = 0; i < n; i++) {
        put(i, x[i], 3);
        s += walk(list, i, x[i]);
    }
#pragma omp parallel
    {
#pragma omp for
        for (int i = 0; i < n; i++)
            for (int k = 0; k < 3; k++)
                rows[i][k] = x[i] * (k + 1);
#pragma omp for
        for (int i = 0; i < n; i++)
            grid->b[i] = rows[(i + 3) % n][1] * x[i];
#pragma omp for reduction(+ : s) schedule(static, 1)
        for (int i = 0; i < n; i++)
            s += get(n - 1 - i, 2) * grid->b[i];
    }
    return s;
}
GRADIENT(f)
int main(void)
{
    set_up();
    return CHECK(f, N);
}
