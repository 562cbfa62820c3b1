// flags: -lm
// A tape of operations in an arena of chunks: forward values, reverse sweep, checkpoints by mark and release.
#include "../check.h"
#include <math.h>
#include <stdalign.h>
#include <stddef.h>
#include <stdlib.h>

typedef struct chunk { struct chunk *previous; size_t used, size; alignas(max_align_t) unsigned char data[]; } chunk;
typedef struct { chunk *top; int chunks; } arena;
typedef struct { chunk *at; size_t used; } mark;
static void *take(arena *a, size_t n)
{
    n = (n + 15) & ~(size_t)15;
    if (!a->top || a->top->used + n > a->top->size) {
        size_t size = n > 512 ? n : 512;
        chunk *c = malloc(sizeof *c + size);
        if (!c)
            abort();
        c->previous = a->top, c->used = 0, c->size = size;
        a->top = c, a->chunks++;
    }
    void *p = a->top->data + a->top->used;
    a->top->used += n;
    return p;
}
static mark here(const arena *a) { return (mark){a->top, a->top ? a->top->used : 0}; }
static void release(arena *a, mark m)
{
    while (a->top != m.at) {
        chunk *c = a->top;
        a->top = c->previous;
        free(c);
        a->chunks--;
    }
    if (a->top)
        a->top->used = m.used;
}
typedef struct entry { struct entry *previous, *in[2]; double value, adjoint, d[2]; } entry;
typedef struct { arena a; entry *last; int n; } tape;
static entry *put(tape *t, double value, entry *x, double dx, entry *y, double dy)
{
    entry *e = take(&t->a, sizeof *e);
    *e = (entry){t->last, {x, y}, value, 0, {dx, dy}};
    t->n++;
    return t->last = e;
}
#define BINARY(name, expr, da, db) static entry *name(tape *t, entry *x, entry *y) { double a = x->value, b = y->value; (void)a, (void)b; return put(t, expr, x, da, y, db); }
#define UNARY(name, expr, da) static entry *name(tape *t, entry *x) { double a = x->value; return put(t, expr, x, da, NULL, 0); }
BINARY(add, a + b, 1, 1)
BINARY(mul, a * b, b, a)
UNARY(sine, sin(a), cos(a))
UNARY(expo, exp(a), exp(a))
static void sweep(tape *t)
{
    t->last->adjoint = 1;
    for (entry *e = t->last; e; e = e->previous)
        for (int k = 0; k < 2; k++)
            if (e->in[k])
                e->in[k]->adjoint += e->adjoint * e->d[k];
}
static double f(double x, double y)
{
    double s = x;
    for (int i = 0; i < 10; i++)
        s = sin(s * y) + exp(s * x) * y;
    return s;
}
int main(void)
{
    tape t = {0};
    for (int round = 0; round < 3; round++) {
        mark m = here(&t.a);
        t.last = NULL;
        double x0 = 0.1 * (round + 1), y0 = -0.3;
        entry *x = put(&t, x0, NULL, 0, NULL, 0), *y = put(&t, y0, NULL, 0, NULL, 0), *s = x;
        for (int i = 0; i < 10; i++)
            s = add(&t, sine(&t, mul(&t, s, y)), mul(&t, expo(&t, mul(&t, s, x)), y));
        sweep(&t);
        double h = 1e-6;
        CHECK_NEAR(s->value, f(x0, y0), 1e-12);
        CHECK_NEAR(x->adjoint, (f(x0 + h, y0) - f(x0 - h, y0)) / (2 * h), 1e-6);
        CHECK_NEAR(y->adjoint, (f(x0, y0 + h) - f(x0, y0 - h)) / (2 * h), 1e-6);
        printf("%.6f %.6f %d\n", x->adjoint, y->adjoint, t.a.chunks);
        release(&t.a, m);
        CHECK(t.a.chunks == 0);
    }
    return check_done();
}
