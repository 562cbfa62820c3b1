// Tasks with copies of structs and arrays of their own, also of variable length, and tasks that free what their makers allocated.
#include "../../check.h"

typedef struct { double p[3], m; int id; } body;
typedef struct { double x, y, h; } cell;

/* The maker goes on with its variables while the tasks have theirs. */
static void make(const double *x, double *out, int n)
{
    for (int i = 0; i + 3 < n; i += 4) {
        body b = {{x[i], x[i + 1], x[i + 2]}, x[i + 3], i / 4};
        double w[2] = {x[i], 2 * x[i + 1]};
#pragma omp task firstprivate(w)
        {
            b.p[0] *= w[0];
            out[b.id] += b.m * (b.p[0] * b.p[1] + b.p[2]);
            w[1] = 0;
        }
#pragma omp task
        out[10 + b.id] = w[1] * b.m;
        b.m = 0;
        w[0] = w[1] = 0;
    }
#pragma omp taskwait
}

static double copies(double *x, int n)
{
    double out[20] = {0}, s = 0;
#pragma omp parallel
#pragma omp single
    make(x, out, n);
    for (int i = 0; i < 20; i++)
        s += out[i] * out[i] * (i + 1);
    return s;
}

/* Structs by value, from task to task. */
static void walk(const double *x, int n, cell c, int depth, double *sum)
{
    if (depth == 0) {
        double s = 0;
        for (int i = 0; i + 1 < n; i += 2)
            s += exp(-(x[i] - c.x) * (x[i] - c.x) - (x[i + 1] - c.y) * (x[i + 1] - c.y));
        s *= c.h * c.h;
#pragma omp atomic
        *sum += s;
        return;
    }
    for (int k = 0; k < 4; k++) {
        cell part = {c.x + (k & 1 ? 0.25 : -0.25) * c.h, c.y + (k & 2 ? 0.25 : -0.25) * c.h, c.h * 0.5};
#pragma omp task firstprivate(part)
        walk(x, n, part, depth - 1, sum);
    }
#pragma omp taskwait
}

static double tree(double *x, int n)
{
    double sum = 0;
    cell whole = {0.5, x[1], x[0] + 1};
#pragma omp parallel
#pragma omp single
    walk(x, n, whole, 2, &sum);
    return sum * sum;
}

/* The reverse of what the maker stored comes after that of the task. */
static double handed_over(double *x, int n)
{
    double out[16] = {0}, s = 0;
#pragma omp parallel
#pragma omp single
    for (int k = 0; k < n / 3; k++) {
        double *own = malloc(3 * sizeof *own);
        for (int j = 0; j < 3; j++)
            own[j] = x[3 * k + j] * x[3 * k + j];
#pragma omp task firstprivate(own, k) shared(out)
        {
            own[2] += own[1] * own[0];
            out[k] = own[2] * own[1];
            free(own);
        }
    }
    for (int k = 0; k < 16; k++)
        s += out[k] * out[k];
    return s;
}

typedef struct node { double v[2]; struct node *next; } node;

/* Made in front of the region. */
static double list(double *x, int n)
{
    node *head = NULL;
    double s = 0;
    for (int i = 0; i + 1 < n; i += 2) {
        node *new = malloc(sizeof *new);
        new->v[0] = x[i];
        new->v[1] = x[i] * x[i + 1];
        new->next = head;
        head = new;
    }
#pragma omp parallel
#pragma omp single
    for (node *p = head; p;) {
        node *next = p->next;
#pragma omp task firstprivate(p) shared(s)
        {
            double t = p->v[0] * exp(p->v[1]);
            free(p);
#pragma omp atomic
            s += t;
        }
        p = next;
    }
    return s;
}

typedef struct { double *v, w; int n; } item;

/* Made by one task, freed by another that it makes. */
static void halves(item *it, double *out)
{
    if (it->n <= 2) {
        *out = it->v[0] * it->v[1] + it->w;
    } else {
        double part[2] = {0, 0};
        for (int k = 0; k < 2; k++) {
            item *half = malloc(sizeof *half);
            half->n = it->n / 2;
            half->w = k ? sin(it->w) : it->w * 0.5;
            half->v = malloc(half->n * sizeof(double));
            for (int i = 0; i < half->n; i++)
                half->v[i] = it->v[k * half->n + i] * it->w;
#pragma omp task firstprivate(half, k) shared(part)
            halves(half, &part[k]);
        }
#pragma omp taskwait
        *out = part[0] * part[1] + part[0];
    }
    free(it->v);
    free(it);
}

static double levels(double *x, int n)
{
    double r = 0;
    item *it = malloc(sizeof *it);
    it->n = n;
    it->w = 1 + x[0];
    it->v = malloc(n * sizeof(double));
    for (int i = 0; i < n; i++)
        it->v[i] = x[i] + 0.5;
#pragma omp parallel
#pragma omp single
#pragma omp task shared(r)
    halves(it, &r);
    return r;
}

#ifndef __clang__
static double varying(double *x, int n)
{
    int m = n / 4;
    double out[64] = {0}, s = 0;
#pragma omp parallel
#pragma omp single
    for (int k = 0; k < 4; k++) {
        double own[m];
        for (int j = 0; j < m; j++)
            own[j] = x[k * m + j];
#pragma omp task firstprivate(own, k) shared(out)
        for (int j = 0; j < m; j++) {
            own[j] *= own[(j + 1) % m];
            out[k * m + j] = own[j];
        }
        for (int j = 0; j < m; j++)
            own[j] = 0;
    }
    for (int k = 0; k < 64; k++)
        s += out[k] * out[k];
    return s;
}
#endif

/* Every thread makes tasks with copies, which the end of the whole function frees. */
typedef struct {
    const double *x;
    double *out;
    int from, to;
} job;
static void work(job j)
{
    for (int i = j.from; i < j.to; i++)
        j.out[i] = tanh(j.x[i]) * j.x[i];
}
static double makers(double *x, int n)
{
    double out[64], s = 0;
#pragma omp parallel
    {
#pragma omp for
        for (int k = 0; k < 4; k++) {
            job j = {x, out, k * n / 4, (k + 1) * n / 4};
#pragma omp task firstprivate(j)
            work(j);
        }
#pragma omp for reduction(+ : s)
        for (int i = 0; i < n; i++)
            s += out[i] * out[n - 1 - i];
    }
    return s;
}

GRADIENT(copies)
GRADIENT(makers)
GRADIENT(tree)
GRADIENT(handed_over)
GRADIENT(list)
GRADIENT(levels)
#ifndef __clang__
GRADIENT(varying)
#endif

int main(void)
{
    int bad = CHECK(copies, 13) | CHECK(makers, 11) | CHECK(tree, 10) | CHECK(handed_over, 12) | CHECK(list, 11) | CHECK(levels, 16);
#ifndef __clang__
    bad |= CHECK(varying, 17);
#endif
    return bad;
}
