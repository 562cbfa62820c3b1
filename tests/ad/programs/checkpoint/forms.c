// Loops of many forms, with and without checkpoints: early exits, conditions that are computed, steps other than one, memory of arguments and of globals, structs whose
// pointers change places, allocation in the loop, output, loops in loops.
// needs: mem2reg promote counted
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int enzyme_dup, enzyme_const;
double __enzyme_autodiff(void *, ...);

enum { N = 6 };

// Each on a line of its own: loops are known by their place.
#define PLAIN
#define ROOT _Pragma("adjoin checkpoint")
#define EVERY _Pragma("adjoin checkpoint every(2)")
#define BINOMIAL _Pragma("adjoin checkpoint binomial(2)")
#define F(NAME, BODY, P) static double NAME(double *x, int n, int steps) BODY(P)

// Newton's iteration for a square root, left when it has converged; the counter is used afterwards.
#define CONVERGES(P)                                                         \
    {                                                                           \
        double y = 1 + 0 * x[0];                                                \
        int k;                                                                  \
        P for (k = 0; k < steps; k++)                                           \
        {                                                                       \
            double old = y;                                                     \
            y = 0.5 * (y + x[0] * x[1] / y);                                    \
            if (fabs(y - old) < 1e-3)                                           \
                break;                                                          \
            y += 1e-4 * x[n - 1];                                               \
        }                                                                       \
        return y * x[2] + k;                                                    \
    }
F(converges, CONVERGES, PLAIN)
F(converges_root, CONVERGES, ROOT)
F(converges_binomial, CONVERGES, BINOMIAL)

// A condition that is computed.
#define UNTIL(P)                                                             \
    {                                                                           \
        double t = 0, y = x[0], h = 0.1;                                        \
        int count = 0;                                                          \
        P while (t < 0.1 * steps && y < 50)                                     \
        {                                                                       \
            y += h * (x[1] * y - 0.1 * y * y * x[n - 1]);                       \
            t += h;                                                             \
            if (++count % 3 == 0)                                               \
                h *= 1.05;                                                      \
        }                                                                       \
        return y * t;                                                           \
    }
F(until, UNTIL, PLAIN)
F(until_root, UNTIL, ROOT)
F(until_binomial, UNTIL, BINOMIAL)

// Down and by two, with the index in use, and a result that the loop leaves.
#define DOWN(P)                                                              \
    {                                                                           \
        double y = x[0];                                                        \
        int last = -1;                                                          \
        P for (int k = 2 * steps; k > 0; k -= 2)                                \
        {                                                                       \
            y = sin(y + x[k % n]) * (1 + 0.01 * k);                             \
            last = k;                                                           \
        }                                                                       \
        return y * (last + 3);                                                  \
    }
F(down, DOWN, PLAIN)
F(down_root, DOWN, ROOT)
F(down_binomial, DOWN, BINOMIAL)

// The argument's own memory is the state, and is overwritten afterwards.
#define IN_PLACE(P)                                                          \
    {                                                                           \
        double sum = 0;                                                         \
        P for (int t = 0; t < steps; t++)                                       \
        {                                                                       \
            for (int i = 0; i < n; i++)                                         \
                x[i] = x[i] + 0.1 * sin(x[(i + 1) % n]);                        \
        }                                                                       \
        for (int i = 0; i < n; i++) {                                           \
            sum += x[i] * x[i] * i;                                             \
            x[i] = 0.5;                                                         \
        }                                                                       \
        return sum;                                                             \
    }
F(in_place, IN_PLACE, PLAIN)
F(in_place_root, IN_PLACE, ROOT)
F(in_place_binomial, IN_PLACE, BINOMIAL)

// What the loop reads changes afterwards.
#define FORCED(P)                                                            \
    {                                                                           \
        double force[N] = {0}, y = 0;                                                 \
        for (int i = 0; i < n; i++)                                             \
            force[i] = x[i] * x[i];                                             \
        P for (int t = 0; t < steps; t++)                                       \
            y = cos(y) + force[t % n] * y;                                      \
        for (int i = 0; i < n; i++)                                             \
            force[i] = y * x[i];                                                \
        return force[1] * force[2];                                             \
    }
F(forced, FORCED, PLAIN)
F(forced_root, FORCED, ROOT)
F(forced_binomial, FORCED, BINOMIAL)

static double field[N], work[N];

// Globals are the state.
#define GLOBAL(P)                                                            \
    {                                                                           \
        double sum = 0;                                                         \
        for (int i = 0; i < n; i++)                                             \
            field[i] = x[i];                                                    \
        P for (int t = 0; t < steps; t++)                                       \
        {                                                                       \
            for (int i = 0; i < n; i++)                                         \
                work[i] = field[i] * field[(i + 1) % n];                        \
            for (int i = 0; i < n; i++)                                         \
                field[i] += 0.1 * work[i];                                      \
        }                                                                       \
        for (int i = 0; i < n; i++)                                             \
            sum += field[i] * field[i];                                         \
        return sum;                                                             \
    }
F(global, GLOBAL, PLAIN)
F(global_root, GLOBAL, ROOT)
F(global_binomial, GLOBAL, BINOMIAL)

struct grid {
    double *now, *next;
    int n, count;
};

// Pointers in a struct change places.
#define STRUCT(P)                                                            \
    {                                                                           \
        struct grid *g = malloc(sizeof *g);                                     \
        double sum = 0;                                                         \
        g->now = malloc(n * sizeof(double));                                    \
        g->next = calloc(n, sizeof(double));                                    \
        g->n = n;                                                               \
        g->count = 0;                                                           \
        memcpy(g->now, x, n * sizeof(double));                                  \
        P for (int t = 0; t < steps; t++)                                       \
        {                                                                       \
            double *swap = g->now;                                              \
            for (int i = 0; i < g->n; i++)                                      \
                g->next[i] = g->now[i] - 0.1 * g->now[i] * g->now[(i + 1) % g->n]; \
            g->now = g->next;                                                   \
            g->next = swap;                                                     \
            g->count++;                                                         \
        }                                                                       \
        for (int i = 0; i < n; i++)                                             \
            sum += g->now[i] * g->now[i] * (i + g->count);                      \
        free(g->now);                                                           \
        free(g->next);                                                          \
        free(g);                                                                \
        return sum;                                                             \
    }
F(structure, STRUCT, PLAIN)
F(structure_root, STRUCT, ROOT)
F(structure_binomial, STRUCT, BINOMIAL)

// Memory that an iteration allocates and frees.
#define TEMPORARY(P)                                                         \
    {                                                                           \
        double u[N], sum = 0;                                                   \
        for (int i = 0; i < n; i++)                                             \
            u[i] = x[i];                                                        \
        P for (int t = 0; t < steps; t++)                                       \
        {                                                                       \
            double *v = malloc(n * sizeof(double));                             \
            for (int i = 0; i < n; i++)                                         \
                v[i] = u[i] * u[(i + 1) % n];                                   \
            for (int i = 0; i < n; i++)                                         \
                u[i] = 0.9 * u[i] + 0.1 * v[i] * v[i];                          \
            free(v);                                                            \
        }                                                                       \
        for (int i = 0; i < n; i++)                                             \
            sum += u[i] * (i + 1);                                              \
        return sum;                                                             \
    }
F(temporary, TEMPORARY, PLAIN)
F(temporary_root, TEMPORARY, ROOT)
F(temporary_binomial, TEMPORARY, BINOMIAL)

// A loop in a loop, both with checkpoints.
static double nested(double *x, int n, int steps)
{
    double u[N], sum = 0;
    for (int i = 0; i < n; i++)
        u[i] = x[i];
    for (int t = 0; t < steps; t++) {
        double y = u[0];
        for (int k = 0; k < t % 5; k++) {
            for (int i = 0; i < n; i++)
                u[i] += 0.05 * y * u[(i + 1) % n];
            y = sin(y + u[k % n]);
        }
        sum += y * 0.1;
    }
    for (int i = 0; i < n; i++)
        sum += u[i] * u[i];
    return sum;
}

static double nested_root(double *x, int n, int steps)
{
    double u[N], sum = 0;
    for (int i = 0; i < n; i++)
        u[i] = x[i];
#pragma adjoin checkpoint
    for (int t = 0; t < steps; t++) {
        double y = u[0];
#pragma adjoin checkpoint binomial(2)
        for (int k = 0; k < t % 5; k++) {
            for (int i = 0; i < n; i++)
                u[i] += 0.05 * y * u[(i + 1) % n];
            y = sin(y + u[k % n]);
        }
        sum += y * 0.1;
    }
    for (int i = 0; i < n; i++)
        sum += u[i] * u[i];
    return sum;
}

static double nested_binomial(double *x, int n, int steps)
{
    double u[N], sum = 0;
    for (int i = 0; i < n; i++)
        u[i] = x[i];
#pragma adjoin checkpoint binomial(2)
    for (int t = 0; t < steps; t++) {
        double y = u[0];
#pragma adjoin checkpoint every(2)
        for (int k = 0; k < t % 5; k++) {
            for (int i = 0; i < n; i++)
                u[i] += 0.05 * y * u[(i + 1) % n];
            y = sin(y + u[k % n]);
        }
        sum += y * 0.1;
    }
    for (int i = 0; i < n; i++)
        sum += u[i] * u[i];
    return sum;
}

// Output is written once.
#define SPEAKS(P)                                                            \
    {                                                                           \
        double y = x[0];                                                        \
        P for (int t = 0; t < steps; t++)                                       \
        {                                                                       \
            y = sin(y) + x[1] * y;                                              \
            if (t % 50 == 49)                                                   \
                printf("%d\n", t);                                              \
        }                                                                       \
        return y * x[n - 1];                                                    \
    }
F(speaks, SPEAKS, PLAIN)
F(speaks_root, SPEAKS, ROOT)
F(speaks_binomial, SPEAKS, BINOMIAL)

static int check(const char *name, double (*f)(double *, int, int), int steps, const double *bar)
{
    for (int k = 0; k < N; k++) {
        double value[2], difference, h = 1e-6;
        for (int s = 0; s < 2; s++) {
            double x[N];
            for (int i = 0; i < N; i++)
                x[i] = 0.5 + 0.1 * i;
            x[k] += s ? h : -h;
            value[s] = f(x, N, steps);
        }
        difference = (value[1] - value[0]) / (2 * h);
        if (!(fabs(difference - bar[k]) <= 1e-5 * (1 + fabs(difference)))) {
            printf("%s, %d steps: %d: %.12g, not %.12g\n", name, steps, k, bar[k], difference);
            return 1;
        }
    }
    return 0;
}

#define RUN(NAME)                                                               \
    for (int i = 0; i < N; i++) {                                               \
        x[i] = 0.5 + 0.1 * i;                                                   \
        bar[i] = 0;                                                             \
    }                                                                           \
    __enzyme_autodiff((void *)NAME, enzyme_dup, x, bar, N, steps[k]);
#define ALL(NAME)                                                               \
    RUN(NAME)                                                                   \
    wrong += check(#NAME, NAME, steps[k], bar);                                 \
    RUN(NAME##_root)                                                            \
    wrong += check(#NAME " root", NAME, steps[k], bar);                         \
    RUN(NAME##_binomial)                                                        \
    wrong += check(#NAME " binomial", NAME, steps[k], bar);

int main(void)
{
    static const int steps[] = {0, 1, 2, 3, 7, 20};
    int wrong = 0;
    for (int k = 0; k < 6; k++) {
        double x[N], bar[N];
        ALL(converges)
        ALL(until)
        ALL(down)
        ALL(in_place)
        ALL(forced)
        ALL(global)
        ALL(structure)
        ALL(temporary)
        ALL(nested)
        ALL(speaks)
    }
    return wrong != 0;
}
