/* Functions that return memory which they made and read: the caller changes it, forgets the pointers in it and frees it, before the reverse sweep of the function comes. The functions are
   recursive so that their derivatives are in two halves; those of the last one the program calls itself. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct taped {
    void *tape;
    double *value, *shadow;
};
void __enzyme_autodiff(void *, ...);
struct taped __enzyme_augmentfwd(void *, ...);
void __enzyme_reverse(void *, ...);

enum { N = 7 };

typedef struct {
    double *data;
    double norm;
    int size, *order;
} Vector;

typedef struct {
    int level;
    Vector *local;
} Part;

static Vector *vector(int n)
{
    Vector *v = calloc(1, sizeof *v);
    v->size = n;
    v->data = calloc(n, sizeof *v->data);
    v->order = calloc(n, sizeof *v->order);
    return v;
}

static void destroy(Vector *v)
{
    free(v->data), v->data = NULL;
    free(v->order), v->order = NULL;
    v->size = 0;
    free(v);
}

/* Numbers that are read where they were stored. */
static Vector *squares(const double *x, int n, int depth)
{
    Vector *v = vector(n);
    for (int i = 0; i < n; i++)
        v->data[i] = sin(x[i]) * x[i];
    for (int i = 0; i < n; i++)
        v->norm += v->data[i] * v->data[i];
    if (depth > 0) {
        Vector *w = squares(x, n, depth - 1);
        v->norm += w->norm * w->data[0];
        memset(w->data, 0, n * sizeof *w->data);
        destroy(w);
    }
    return v;
}

static double of_numbers(const double *x, int n)
{
    double s = 0;
    Vector *v = squares(x, n, 2);
    for (int i = 0; i < n; i++)
        s += v->data[i] * (i + 1) * v->norm;
    for (int i = 0; i < n; i++)
        v->data[i] = 7 - i;
    destroy(v);
    return s;
}

/* Pointers and integers, one block behind another. */
static Part *part(const double *x, int n, int depth)
{
    Part *p = malloc(sizeof *p);
    p->level = depth;
    p->local = vector(n);
    for (int i = 0; i < n; i++)
        p->local->order[i] = (3 * i + depth) % n;
    for (int i = 0; i < n; i++)
        p->local->data[p->local->order[i]] = x[i] * x[i] * (1 + p->level);
    if (depth > 0) {
        Part *q = part(x, n, depth - 1);
        for (int i = 0; i < n; i++)
            p->local->data[i] *= q->local->data[q->local->order[i]];
        destroy(q->local);
        q->local = NULL;
        free(q);
    }
    return p;
}

static double of_pointers(const double *x, int n)
{
    double s = 0;
    Part *p = part(x, n, 3);
    for (int i = 0; i < n; i++)
        s += p->local->data[i] * (i + 1);
    for (int i = 0; i < n; i++)
        p->local->order[i] = 0;
    destroy(p->local);
    p->local = NULL;
    free(p);
    return s;
}

/* The last element is that of x and the squares of the others. */
static double *sines(const double *x, int n)
{
    double *y = malloc(n * sizeof *y);
    for (int i = 0; i < n; i++)
        y[i] = sin(x[i]);
    for (int i = 0; i < n - 1; i++)
        y[n - 1] += y[i] * y[i];
    return y;
}

static int check_halves(void)
{
    double x[N], gradient[N] = {0};
    int wrong = 0;
    for (int i = 0; i < N; i++)
        x[i] = 0.3 + 0.2 * i;
    struct taped forward = __enzyme_augmentfwd((void *)sines, x, gradient, N);
    for (int i = 0; i < N; i++) {
        forward.value[i] = 100;
        forward.shadow[i] = i == N - 1;
    }
    __enzyme_reverse((void *)sines, x, gradient, N, forward.tape);
    for (int i = 0; i < N; i++) {
        double expected = i < N - 1 ? sin(2 * x[i]) : cos(x[i]);
        if (!(fabs(gradient[i] - expected) <= 1e-12)) {
            printf("halves: %d: %.12g, not %.12g\n", i, gradient[i], expected);
            wrong = 1;
        }
        wrong |= forward.value[i] != 100;
    }
    free(forward.value);
    free(forward.shadow);
    return wrong;
}

static int check(const char *name, double (*f)(const double *, int))
{
    double x[N], gradient[N] = {0};
    int wrong = 0;
    for (int i = 0; i < N; i++)
        x[i] = 0.4 + 0.1 * i;
    if (f == of_numbers)
        __enzyme_autodiff((void *)of_numbers, x, gradient, N);
    else
        __enzyme_autodiff((void *)of_pointers, x, gradient, N);
    for (int i = 0; i < N; i++) {
        double h = 1e-5, at = x[i], above, below;
        x[i] = at + h, above = f(x, N);
        x[i] = at - h, below = f(x, N);
        x[i] = at;
        double expected = (above - below) / (2 * h);
        if (!(fabs(gradient[i] - expected) <= 1e-7 * (1 + fabs(expected)))) {
            printf("%s: %d: %.12g, not %.12g\n", name, i, gradient[i], expected);
            wrong = 1;
        }
    }
    return wrong;
}

int main(void)
{
    return check("numbers", of_numbers) | check("pointers", of_pointers) | check_halves();
}
