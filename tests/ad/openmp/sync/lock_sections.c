// Locks: several at a time, one behind the other, waited for in a loop, with something that is taken out, and updates whose order matters.
#include "../../check.h"
#include <omp.h>
#define CELLS 5
typedef struct { omp_nest_lock_t lock; double value; } cell;
static void add(cell *c, double v)
{
    omp_set_nest_lock(&c->lock);
    c->value += v;
    omp_unset_nest_lock(&c->lock);
}
static void move(cell *from, cell *to, double v)
{
    omp_set_nest_lock(&from->lock);
    add(from, -v);
    omp_unset_nest_lock(&from->lock);
    add(to, v);
}
static double nested(double *x, int n)
{
    cell c[CELLS];
    double s = 0;
    for (int i = 0; i < CELLS; i++) {
        omp_init_nest_lock(&c[i].lock);
        c[i].value = x[i];
    }
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < n; i++)
        move(&c[i % CELLS], &c[(3 * i + 1) % CELLS], 0.1 * x[i] * x[i]);
    for (int i = 0; i < CELLS; i++) {
        s += c[i].value * c[i].value * (i + 1);
        omp_destroy_nest_lock(&c[i].lock);
    }
    return s;
}
static double waited_for(double *x, int n)
{
    omp_lock_t lock;
    double total = 0, most = -1e9;
    omp_init_lock(&lock);
#pragma omp parallel
    {
        double own = 0;
#pragma omp for nowait
        for (int i = 0; i < n; i++)
            own += x[i] * exp(-x[i]);
        while (!omp_test_lock(&lock)) {
        }
        total += own;
        omp_unset_lock(&lock);
#pragma omp for
        for (int i = 0; i < n; i++) {
            omp_set_lock(&lock);
            if (x[i] > most)
                most = x[i];
            omp_unset_lock(&lock);
        }
    }
    omp_destroy_lock(&lock);
    return total * most;
}
/* The result does not depend on the order, but what is cached does. */
static double products(double *x, int n)
{
    omp_lock_t lock;
    double p = 1, seen[64];
    omp_init_lock(&lock);
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double factor = 1 + 0.1 * x[i], after;
        omp_set_lock(&lock);
        p *= factor;
        after = factor * factor;
        omp_unset_lock(&lock);
        seen[i] = after;
    }
    omp_destroy_lock(&lock);
    for (int i = 0; i < n; i++)
        p += seen[i];
    return p;
}
GRADIENT(nested)
GRADIENT(waited_for)
GRADIENT(products)
int main(void) { return CHECK(nested, 17) | CHECK(waited_for, 20) | CHECK(products, 14); }
