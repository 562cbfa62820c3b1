// Functions that overwrite what they read, for several seeds: recursion, a list that is relinked, heap blocks, callbacks with state at file scope.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int enzyme_width, enzyme_dup, enzyme_const;
void __enzyme_autodiff(void *, ...);

/* Recursion in place. */
static double square(double *x, int n)
{
    if (n == 0)
        return x[0] * x[1];
    x[0] = x[0] * x[1];
    x[1] += sin(x[0]);
    return square(x, n - 1) * x[0];
}

/* A list that is reordered, and scratch memory that callees free. */
struct node {
    double v;
    struct node *next;
    int seen;
};
static void visit(struct node *p, double *scratch, int depth)
{
    if (!p)
        return;
    p->seen++;
    scratch[depth % 4] += p->v;
    p->v = p->v * scratch[depth % 4] + depth * 0.1;
    visit(p->next, scratch, depth + 1);
}
static double chain(struct node *p)
{
    double *scratch = malloc(4 * sizeof *scratch);
    for (int k = 0; k < 4; k++)
        scratch[k] = 0.5 * k;
    visit(p, scratch, 0);
    struct node *q = p->next;
    p->next = q->next;
    q->next = p;
    double s = 0;
    for (int k = 0; k < 3; k++, q = q->next) {
        if (!q)
            break;
        s += q->v * (k + 1) * q->seen;
    }
    for (int k = 0; k < 4; k++)
        s += scratch[k];
    free(scratch);
    return s;
}

/* A callback, state at file scope. */
static double state[3];
static int calls;
typedef double (*map)(double *);
static double first(double *x)
{
    calls++;
    state[calls % 3] += x[0] * x[1];
    x[0] = state[calls % 3];
    return x[0];
}
static double second(double *x)
{
    calls++;
    state[calls % 3] *= x[1];
    x[1] = cos(x[0]) + state[0];
    return x[1];
}
static map maps[2] = {first, second};
static void start(void)
{
    maps[0] = first;
    calls = 0;
    state[0] = 0.2, state[1] = 0.4, state[2] = -0.3;
}
static double steps(double *x, int n)
{
    double s = 0;
    for (int k = 0; k < n; k++)
        s += maps[(k + calls) % 2](x) * (k + 1);
    return s;
}

static int failures;
static void expect(const char *what, double is, double should)
{
    if (!(fabs(is - should) <= 1e-5 * (1 + fabs(should)))) {
        printf("%s: %.12g instead of %.12g\n", what, is, should);
        failures++;
    }
}

static void make(struct node *n, const double *v)
{
    for (int k = 0; k < 3; k++)
        n[k] = (struct node){v ? v[k] : 0, k < 2 ? n + k + 1 : NULL, 0};
}

static void try_square(double h)
{
    double x[2] = {0.7, 1.1}, y[2] = {0.7, 1.1}, a[2] = {0}, b[2] = {0};
    __enzyme_autodiff((void *)square, enzyme_width, 2, enzyme_dup, x, a, b, enzyme_const, 3);
    square(y, 3);
    for (int k = 0; k < 2; k++) {
        double p[2] = {0.7, 1.1}, q[2] = {0.7, 1.1};
        p[k] += h, q[k] -= h;
        double d = (square(p, 3) - square(q, 3)) / (2 * h);
        expect("square", a[k], d);
        expect("square, second seed", b[k], d);
        expect("what square leaves", x[k], y[k]);
    }
}

static void try_chain(double h)
{
    const double v[3] = {0.3, -0.8, 1.7};
    struct node n[3], a[3], b[3];
    make(n, v), make(a, NULL), make(b, NULL);
    __enzyme_autodiff((void *)chain, enzyme_width, 2, enzyme_dup, n, a, b);
    expect("links", n[1].next == n && n[0].next == n + 2, 1);
    for (int k = 0; k < 3; k++) {
        double p[3], q[3];
        memcpy(p, v, sizeof p), memcpy(q, v, sizeof q);
        p[k] += h, q[k] -= h;
        struct node up[3], down[3];
        make(up, p), make(down, q);
        double d = (chain(up) - chain(down)) / (2 * h);
        expect("chain", a[k].v, d);
        expect("chain, second seed", b[k].v, d);
        expect("visits", n[k].seen, 1);
    }
}

static void try_steps(double h)
{
    double x[2] = {0.7, 1.1}, a[2] = {0}, b[2] = {0};
    start();
    __enzyme_autodiff((void *)steps, enzyme_width, 2, enzyme_dup, x, a, b, enzyme_const, 5);
    expect("calls", calls, 5);
    for (int k = 0; k < 2; k++) {
        double p[2] = {0.7, 1.1}, q[2] = {0.7, 1.1};
        p[k] += h, q[k] -= h;
        start();
        double d = steps(p, 5);
        start();
        d = (d - steps(q, 5)) / (2 * h);
        expect("steps", a[k], d);
        expect("steps, second seed", b[k], d);
    }
}

int main(void)
{
    try_square(1e-6);
    try_chain(1e-6);
    try_steps(1e-6);
    return failures != 0;
}
