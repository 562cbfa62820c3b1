// Arrays behind a struct in a struct (`state->mesh->x[i]`): told apart by a test at the start, also where the inner struct has no shadow, where its arrays overlap, and where
// loops over them do not run.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int enzyme_dup;
void __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

enum { N = 12 };

typedef struct {
    int n;
    double *x, *y, *w;
} Mesh;

typedef struct {
    int steps;
    Mesh *mesh;
    double *u, *v;
} State;

static void smooth(const Mesh *mesh, const double *u, double *v)
{
    for (int i = 0; i < mesh->n; i++) {
        double s = 0;
        for (int k = 0; k < mesh->n; k++)
            s += mesh->x[k] * u[(i + k) % mesh->n];
        mesh->y[i] = s * mesh->w[i] / (1 + s * s);
    }
    for (int i = 0; i < mesh->n; i++)
        v[i] += sin(mesh->y[i]) * mesh->y[i] * u[i];
}

static double energy(State *s, const double *q)
{
    for (int i = 0; i < s->mesh->n; i++)
        s->u[i] = q[i], s->v[i] = 0.1 * q[i];
    for (int t = 0; t < s->steps; t++) {
        smooth(s->mesh, s->u, s->v);
        for (int i = 0; i < s->mesh->n; i++)
            s->u[i] = 0.5 * s->u[i] + 0.2 * s->v[i] * s->mesh->w[i];
    }
    double e = 0;
    for (int i = 0; i < s->mesh->n; i++)
        e += s->u[i] * s->v[i] * (1 + i % 3);
    return e;
}

typedef struct {
    State state;
    Mesh mesh;
    double x[N], y[N], w[N], u[N], v[N];
} Memory;

/* With `shared`, y is x: the loop overwrites what it multiplies by. */
static void connect(Memory *m, int n, int shared)
{
    m->mesh = (Mesh){n, m->x, shared ? m->x : m->y, m->w};
    m->state = (State){3, &m->mesh, m->u, m->v};
}

static void fill(Memory *m)
{
    memset(m, 0, sizeof *m);
    for (int i = 0; i < N; i++) {
        m->x[i] = 0.3 * cos(i + 1.0) / (i + 1);
        m->w[i] = 1 + 0.1 * sin(2.0 * i);
    }
}

static double value(const double *q, int n, int shared, int at, double h)
{
    Memory m;
    fill(&m);
    connect(&m, n, shared);
    m.w[at] += h;
    return energy(&m.state, q);
}

static int wrong(const char *what, double got, double expected)
{
    if (fabs(got - expected) <= 1e-6 * (1 + fabs(expected)))
        return 0;
    printf("%s: %.10g instead of %.10g\n", what, got, expected);
    return 1;
}

static int check(int n, int shared, int lacks)
{
    double q[N], q_bar[N] = {0}, direction[N];
    Memory m, bar;
    int bad = 0;
    for (int i = 0; i < N; i++)
        q[i] = 0.4 + 0.1 * i, direction[i] = 1 - 0.2 * i;
    fill(&m);
    connect(&m, n, shared);
    memset(&bar, 0, sizeof bar);
    connect(&bar, n, shared);
    if (lacks)
        bar.mesh.w = NULL;
    __enzyme_autodiff((void *)energy, enzyme_dup, &m.state, &bar.state, enzyme_dup, q, q_bar);
    const double h = 1e-6;
    double sum = 0;
    for (int i = 0; i < n; i++) {
        double old = q[i];
        q[i] = old + h;
        double up = value(q, n, shared, 0, 0);
        q[i] = old - h;
        double down = value(q, n, shared, 0, 0);
        q[i] = old;
        bad += wrong("q", q_bar[i], (up - down) / (2 * h));
        sum += q_bar[i] * direction[i];
        double slope = value(q, n, shared, i, h) - value(q, n, shared, i, -h);
        if (!lacks)
            bad += wrong("w", bar.w[i], slope / (2 * h));
    }
    fill(&m);
    connect(&m, n, shared);
    memset(&bar, 0, sizeof bar);
    connect(&bar, n, shared);
    double tangent = __enzyme_fwddiff((void *)energy, enzyme_dup, &m.state, &bar.state, enzyme_dup,
                                      q, direction);
    return bad + wrong("forward", tangent, sum);
}

int main(void)
{
    int bad = check(N, 0, 0) + check(N, 1, 0) + check(N, 0, 1) + check(0, 0, 0) + check(1, 0, 0);
    if (!bad)
        puts("ok");
    return bad != 0;
}
