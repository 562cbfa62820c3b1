// Structs of arrays whose pointers a loop over steps exchanges: arrays apart, overlapping and shared, sizes that differ, no step, few steps; three structs that rotate; members read behind the loop; a loop whose
// inner loops do not run; structs that the steps write to; arrays that a loop makes for itself in a struct of its own; structs that are exchanged as a whole, behind pointers, in an array, in memory of their own.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int enzyme_dup, enzyme_const;
double __enzyme_autodiff(void *, ...);

enum { N = 7, ALL = N * N };
typedef struct {
    int n, visits;
    double scale;
    double *h, *u;
} state;

static void step(const state *a, state *b, const double *k)
{
    int n = a->n;
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++) {
            int at = i * n + j;
            b->h[at] = a->h[at] + k[at] * a->u[at] * (a->h[at - n] + a->h[at + n] + a->h[at - 1] + a->h[at + 1] - 4 * a->h[at]);
            b->u[at] = a->scale * a->u[at] - k[at] * a->h[at] * (a->u[at + 1] - a->u[at - 1]);
        }
}

static double two(const double *k, state *a, state *b, state *c, int steps)
{
    for (int t = 0; t < steps; t++) {
        step(a, b, k);
        state *old = a;
        a = b;
        b = old;
    }
    double s = 0;
    for (int i = 0; i < ALL; i++)
        s += a->h[i] * a->h[i] * (1 + i % 3) + a->u[i] * b->h[i];
    return s + c->h[0];
}

static double three(const double *k, state *a, state *b, state *c, int steps)
{
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < b->n; i++)
            c->h[i] = a->h[i] * b->u[i] + k[i] * b->h[i] * b->h[i];
        for (int i = 0; i < a->n; i++)
            c->u[i] += 0.5 * b->u[i] * a->h[i];
        state *old = a;
        a = b;
        b = c;
        c = old;
    }
    double s = 0;
    for (int i = 0; i < N; i++)
        s += a->h[i] * b->h[i] + c->h[i] * c->u[i];
    return s;
}

/* Sizes change on the way: one of the structs gets smaller with each visit. */
static double shrinking(const double *k, state *a, state *b, state *c, int steps)
{
    int sizes[2] = {a->n, b->n};
    for (int t = 0; t < steps; t++) {
        step(a, b, k);
        a->visits++;
        if (a->n > 3)
            a->n--;
        state *old = a;
        a = b;
        b = old;
    }
    double s = 0;
    for (int i = 0; i < ALL; i++)
        s += a->h[i] * a->h[i] + b->u[i];
    (steps % 2 ? b : a)->n = sizes[0];
    (steps % 2 ? a : b)->n = sizes[1];
    return s + c->u[1];
}

/* The pointers in the structs change places. */
static double inside(const double *k, state *a, state *b, state *c, int steps)
{
    for (int t = 0; t < steps; t++) {
        step(a, b, k);
        double *h = a->h, *u = a->u;
        a->h = b->h;
        a->u = b->u;
        b->h = h;
        b->u = u;
    }
    double s = 0;
    for (int i = 0; i < ALL; i++)
        s += a->h[i] * a->h[i] * (1 + i % 3) + a->u[i] * b->h[i] + c->h[i];
    if (steps % 2) {
        double *h = a->h, *u = a->u;
        a->h = b->h;
        a->u = b->u;
        b->h = h;
        b->u = u;
    }
    return s;
}

/* A struct of its own, with constant sizes in it. */
static double own(const double *k, state *a, state *b, state *c, int steps)
{
    (void)b;
    state *g = malloc(sizeof *g);
    g->n = N;
    g->scale = 0.9;
    g->h = calloc(ALL, sizeof *g->h);
    g->u = calloc(ALL, sizeof *g->u);
    for (int i = 0; i < ALL; i++)
        g->h[i] = g->u[i] = a->h[i];
    for (int t = 0; t < steps; t++) {
        int n = g->n;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++) {
                int at = i * n + j;
                g->u[at] = g->h[at] + k[at] * g->scale * g->h[at] * (g->h[at - n] + g->h[at + n] - 2 * g->h[at + 1]);
            }
        double *old = g->h;
        g->h = g->u;
        g->u = old;
    }
    double s = c->u[2];
    for (int i = 0; i < ALL; i++)
        s += g->h[i] * g->h[i] * (i + 1);
    free(g->h);
    free(g->u);
    free(g);
    return s;
}

static void exchange(state *a, state *b)
{
    state old = *a;
    *a = *b;
    *b = old;
}

/* All that is in the structs changes places. */
static double whole(const double *k, state *a, state *b, state *c, int steps)
{
    for (int t = 0; t < steps; t++) {
        step(a, b, k);
        exchange(a, b);
    }
    double s = 0;
    for (int i = 0; i < ALL; i++)
        s += a->h[i] * a->h[i] * (1 + i % 3) + a->u[i] * b->h[i] * b->scale + c->h[i];
    if (steps % 2)
        exchange(a, b);
    return s;
}

/* In an array; what is exchanged in the last step is read behind the loop. */
static double in_array(const double *k, state *a, state *b, state *c, int steps)
{
    state s[2];
    double sum = 0;
    for (int i = 0; i < 2; i++) {
        s[i].n = N;
        s[i].visits = 0;
        s[i].scale = 0.7 + 0.2 * i;
        s[i].h = malloc(ALL * sizeof(double));
        s[i].u = malloc(ALL * sizeof(double));
        for (int j = 0; j < ALL; j++) {
            s[i].h[j] = a->h[j];
            s[i].u[j] = 0.5 * b->h[j];
        }
    }
    for (int t = 0; t < steps; t++) {
        step(&s[0], &s[1], k);
        s[1].visits++;
        exchange(&s[0], &s[1]);
    }
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < ALL; j++)
            sum += s[i].h[j] * s[i].u[j] * s[i].scale * (1 + s[i].visits);
    for (int i = 0; i < 2; i++) {
        free(s[i].h);
        free(s[i].u);
    }
    return sum + c->u[2];
}

/* Three in memory of their own, of which some steps exchange the first two and others the last two. */
static double sometimes(const double *k, state *a, state *b, state *c, int steps)
{
    state *all = malloc(3 * sizeof *all);
    all[0] = *a;
    all[1] = *b;
    all[2] = *c;
    for (int t = 0; t < steps; t++) {
        step(&all[0], &all[1], k);
        if (t % 2)
            exchange(&all[0], &all[1]);
        else
            exchange(&all[1], &all[2]);
    }
    double s = 0;
    for (int i = 0; i < ALL; i++)
        s += all[0].h[i] * all[1].h[i] + all[2].u[i] * all[1].scale * (1 + i % 2);
    free(all);
    return s;
}

typedef double function(const double *, state *, state *, state *, int);
static double memory[6 * ALL], bars[6 * ALL], now[6 * ALL], k[ALL], k_bar[ALL];
static state states[3], shadows[3];

/* Which arrays the structs have, and of what size. */
static const struct {
    int size[3];
    int at[6];
} ways[] = {
    {{N, N, N}, {0, ALL, 2 * ALL, 3 * ALL, 4 * ALL, 5 * ALL}},         {{N, N - 1, N - 2}, {0, ALL, 2 * ALL, 3 * ALL, 4 * ALL, 5 * ALL}}, {{N, N, N}, {0, ALL, 2 * ALL, ALL, 4 * ALL, 5 * ALL}},
    {{N, N, N}, {0, ALL, 3, 3 * ALL, 4 * ALL, 5 * ALL}},               {{N, N, N}, {0, 2 * ALL, 0, 2 * ALL, 0, 2 * ALL}},                {{2, 2, 2}, {0, ALL, 2 * ALL, 3 * ALL, 4 * ALL, 5 * ALL}},
    {{N, 0, N}, {3 * ALL, 2 * ALL, 5 * ALL, 4 * ALL, ALL + 5, 1}},
};

static void start(int way)
{
    memcpy(now, memory, sizeof now);
    for (int s = 0; s < 3; s++) {
        states[s] = (state){ways[way].size[s], 0, 0.8 + 0.1 * s, now + ways[way].at[2 * s], now + ways[way].at[2 * s + 1]};
        shadows[s] = (state){ways[way].size[s], 0, 0, bars + ways[way].at[2 * s], bars + ways[way].at[2 * s + 1]};
    }
}

static double value(function *f, int way, int same, int steps)
{
    start(way);
    return f(k, &states[0], &states[same ? 0 : 1], &states[2], steps);
}

static int compare(const char *name, function *f, int way, int same, int steps, double *x, const double *bar, int count)
{
    int wrong = 0;
    for (int i = 0; i < count; i += 3) {
        double old = x[i], h = 1e-6;
        x[i] = old + h;
        double up = value(f, way, same, steps);
        x[i] = old - h;
        double down = value(f, way, same, steps);
        x[i] = old;
        double expected = (up - down) / (2 * h);
        if (!(fabs(bar[i] - expected) < 1e-6 * (1 + fabs(expected)))) {
            printf("%s, way %d, same %d, %d steps: [%d]: %g instead of %g\n", name, way, same, steps, i, bar[i], expected);
            wrong++;
        }
    }
    return wrong;
}

#define TRY(f)                                                                                                                                                                \
    do {                                                                                                                                                                      \
        memset(bars, 0, sizeof bars);                                                                                                                                         \
        memset(k_bar, 0, sizeof k_bar);                                                                                                                                       \
        start(way);                                                                                                                                                     \
        __enzyme_autodiff((void *)f, enzyme_dup, k, k_bar, enzyme_dup, &states[0], &shadows[0], enzyme_dup, &states[!same], &shadows[!same], enzyme_dup, &states[2], &shadows[2], \
                          enzyme_const, steps);                                                                                                                               \
        wrong += compare(#f, f, way, same, steps, memory, bars, 6 * ALL) + compare(#f, f, way, same, steps, k, k_bar, ALL);                                                   \
    } while (0)

int main(void)
{
    int wrong = 0;
    for (int i = 0; i < 6 * ALL; i++)
        memory[i] = 0.6 * sin(0.7 * i) + 0.3;
    for (int i = 0; i < ALL; i++)
        k[i] = 0.1 + 0.05 * cos(1.1 * i);
    for (int way = 0; way < (int)(sizeof ways / sizeof *ways); way++)
        for (int same = 0; same < 2; same++)
            for (int steps = 0; steps < 4; steps++) {
                TRY(two);
                TRY(three);
                TRY(shrinking);
                TRY(inside);
                TRY(own);
                TRY(whole);
                TRY(in_array);
                TRY(sometimes);
            }
    return wrong != 0;
}
