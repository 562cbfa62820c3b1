/* Recursive functions that note in arrays of characters what they have done: nothing but flags is there, so those arrays need no shadows. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

enum { N = 3, NODES = 6 };

static double value(int k, const double *x, double *table, char *have)
{
    if (k < 2)
        return x[k];
    if (have[k])
        return table[k];
    double v = value(k - 1, x, table, have) * x[k % N] + sin(value(k - 2, x, table, have));
    have[k] = 1;
    return table[k] = v;
}

static double memoised(const double *x)
{
    double table[16];
    char have[16] = {0};
    return value(15, x, table, have) + table[7] * table[7];
}

static double visit(int u, const double *x, bool *seen, double *distance)
{
    seen[u] = true;
    double sum = distance[u] * distance[u];
    for (int v = 0; v < NODES; v++)
        if (!seen[v] && (u * 3 + v) % 4 != 1) {
            distance[v] = distance[u] + x[(u + v) % N] * x[v % N];
            sum += visit(v, x, seen, distance);
        }
    return sum;
}

static double visited(const double *x)
{
    bool seen[NODES];
    double distance[NODES] = {x[0]};
    memset(seen, 0, sizeof seen);
    return visit(0, x, seen, distance);
}

static double visited_on_the_heap(const double *x)
{
    bool *seen = calloc(NODES, 1);
    double distance[NODES] = {x[1]};
    double sum = visit(1, x, seen, distance);
    free(seen);
    return sum;
}

#define TEST(f) \
    for (int i = 0; i < N; i++) { \
        double x[N] = {0.5, -0.2, 0.9}, g[N] = {0}, d[N] = {0}, y[N], z[N], h = 1e-6; \
        memcpy(y, x, sizeof x); \
        memcpy(z, x, sizeof x); \
        y[i] += h; \
        z[i] -= h; \
        d[i] = 1; \
        double want = (f(y) - f(z)) / (2 * h); \
        __enzyme_autodiff((void *)f, x, g); \
        double forward = __enzyme_fwddiff((void *)f, x, d); \
        if (!(fabs(g[i] - want) < 1e-7 && fabs(forward - g[i]) < 1e-12)) { \
            printf("%s, x[%d]: %g and %g vs %g\n", #f, i, g[i], forward, want); \
            bad = 1; \
        } \
    }

int main(void)
{
    int bad = 0;
    TEST(memoised)
    TEST(visited)
    TEST(visited_on_the_heap)
    return bad;
}
