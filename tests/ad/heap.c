/* The heap: allocation of every kind, growing blocks, freeing inside loops, memory that outlives the function, NULL checks. */
#include "check.h"

static void *xmalloc(size_t n)
{
    void *p = malloc(n);
    if (!p) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    return p;
}

/* A block that grows by one in a loop. */
static double grow(double *x, int n)
{
    double *v = NULL, s = 0;
    for (int i = 0; i < n; i++) {
        v = realloc(v, (i + 1) * sizeof *v);
        v[i] = x[i] * x[i];
        for (int k = 0; k <= i; k++)
            s += v[k] * x[i];
    }
    free(v);
    return s;
}
GRADIENT(grow)

/* A vector with size and capacity, as a struct with functions. */
struct vector {
    double *data;
    int size, room;
};

static void push(struct vector *v, double x)
{
    if (v->size == v->room) {
        v->room = v->room ? 2 * v->room : 2;
        v->data = realloc(v->data, v->room * sizeof(double));
    }
    v->data[v->size++] = x;
}

static double vectors(double *x, int n)
{
    struct vector v = {0}, w = {NULL, 0, 0};
    double s = 0;
    for (int i = 0; i < n; i++) {
        push(&v, x[i] * x[n - 1 - i]);
        if (i % 2)
            push(&w, sin(v.data[i / 2]));
    }
    for (int i = 0; i < v.size; i++)
        s += v.data[i] * (i < w.size ? w.data[i] : 1.0);
    free(v.data);
    free(w.data);
    return s;
}
GRADIENT(vectors)

/* Blocks made and freed in each iteration, through a wrapper; shrinking. */
static double blocks(double *x, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++) {
        double *t = xmalloc((n + i) * sizeof(double));
        for (int k = 0; k < n + i; k++)
            t[k] = x[k % n] * (k + 1);
        t = realloc(t, n * sizeof(double));
        double *u = calloc(n, sizeof *u);
        for (int k = 0; k < n; k++)
            u[k] += t[k] * t[(k + 1) % n];
        s += u[i] * x[i];
        free(t);
        if (u != NULL)
            free(u);
    }
    return s;
}
GRADIENT(blocks)

/* Aligned blocks. */
static double aligned(double *x, int n)
{
    double *p;
    if (posix_memalign((void **)&p, 64, n * sizeof(double)))
        return -1;
    double *q = aligned_alloc(32, 32 * n);
    for (int i = 0; i < n; i++)
        p[i] = exp(-x[i]);
    for (int i = 0; i < n; i++)
        q[4 * i] = p[i] * p[n - 1 - i];
    double s = 0;
    for (int i = 0; i < n; i++)
        s += q[4 * i] * x[i];
    free(p);
    free(q);
    return s;
}
GRADIENT(aligned)

/* Rows that are allocated one by one, and all in one block; three levels. */
static double matrices(double *x, int n)
{
    double **a = malloc(n * sizeof(double *));
    double **b = malloc(n * sizeof *b);
    double *all = malloc(n * n * sizeof(double));
    for (int i = 0; i < n; i++) {
        a[i] = malloc(n * sizeof(double));
        b[i] = all + i * n;
        for (int j = 0; j < n; j++) {
            a[i][j] = x[i] * cos(x[j]);
            b[i][j] = x[j] / (1 + i);
        }
    }
    double *t = a[0];
    a[0] = a[n - 1];
    a[n - 1] = t;
    double ***both = malloc(2 * sizeof *both), s = 0;
    both[0] = a;
    both[1] = b;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            s += both[0][i][j] * both[1][j][i];
    for (int i = 0; i < n; i++)
        free(a[i]);
    free(a);
    free(b);
    free(all);
    free(both);
    return s;
}
GRADIENT(matrices)

/* A flexible array member, and integers beside numbers. */
struct packet {
    int length;
    double scale;
    double values[];
};

static struct packet *packet(const double *x, int n, double scale)
{
    struct packet *p = malloc(sizeof *p + n * sizeof(double));
    p->length = n;
    p->scale = scale * x[0];
    for (int i = 0; i < n; i++)
        p->values[i] = x[i] * x[i];
    return p;
}

static double packets(double *x, int n)
{
    struct packet *p = packet(x, n, 0.5), *q = packet(x + 1, n - 1, 2.0);
    double s = 0;
    for (int i = 0; i < q->length; i++)
        s += p->values[i] * q->values[i] * p->scale + q->scale;
    free(p);
    free(q);
    return s;
}
GRADIENT(packets)

/* Results in memory that the function allocates and hands out, with its shadow. */
struct result {
    double *y;
    int n;
};

static void produce(const double *x, int n, struct result *r)
{
    r->y = malloc(n * sizeof(double));
    r->n = n;
    for (int i = 0; i < n; i++)
        r->y[i] = x[i] * x[i] * x[i];
}

static int produced(void)
{
    double x[3] = {1, 2, 3}, bar[3] = {0};
    struct result r = {0}, r_bar = {0};
    __enzyme_autodiff((void *)produce, x, bar, 3, &r, &r_bar);
    int bad = r.n != 3 || r.y[2] != 27 || !r_bar.y || bar[0] != 0;
    free(r.y);
    free(r_bar.y);
    return bad;
}

/* Early return with memory that is freed on both paths; free of NULL. */
static double paths(double *x, int n)
{
    double *t = malloc(n * sizeof(double)), *none = NULL;
    for (int i = 0; i < n; i++)
        t[i] = x[i] * 2;
    free(none);
    if (t[0] > 100) {
        free(t);
        return 0;
    }
    double s = 0;
    for (int i = 0; i < n; i++) {
        if (t[i] < 0) {
            free(t);
            return s;
        }
        s += t[i] * t[i];
    }
    free(t);
    return s;
}
GRADIENT(paths)

/* One block that is dealt out to the members of a struct through a table of their addresses, when it is first used; numbers of tokens are copied beside it. */
typedef struct {
    double *token, *place, *first_weight, *first_bias, *second_weight, *second_bias, *last_weight, *last_bias;
    double *sum, *first, *second, *squashed, *last, *losses;
} tensors;
#define TENSORS 14
typedef struct {
    tensors all;
    size_t sizes[TENSORS];
    double *memory;
    int *inputs, *targets;
    double loss;
} network;
static double *deal(tensors *t, const size_t *sizes)
{
    size_t total = 0;
    for (size_t i = 0; i < TENSORS; i++)
        total += sizes[i];
    double *memory = malloc(total * sizeof(double)), *next = memory;
    double **members[] = {&t->token,       &t->place,     &t->first_weight, &t->first_bias, &t->second_weight, &t->second_bias, &t->last_weight,
                          &t->last_bias,   &t->sum,       &t->first,        &t->second,     &t->squashed,      &t->last,        &t->losses};
    for (size_t i = 0; i < TENSORS; i++) {
        *(members[i]) = next;
        next += sizes[i];
    }
    return memory;
}
static void forward(network *m, const int *inputs, const int *targets, double *x, size_t n)
{
    if (m->memory == NULL) {
        for (int i = 0; i < TENSORS; i++)
            m->sizes[i] = n;
        m->memory = deal(&m->all, m->sizes);
        m->inputs = malloc(n * sizeof(int));
        m->targets = malloc(n * sizeof(int));
    }
    memcpy(m->inputs, inputs, n * sizeof(int));
    if (targets != NULL)
        memcpy(m->targets, targets, n * sizeof(int));
    tensors t = m->all;
    memcpy(t.token, x, n * sizeof(double));
    for (size_t i = 0; i < n; i++) {
        t.place[i] = x[i] * x[i];
        t.sum[i] = t.token[m->inputs[i]] + t.place[i];
    }
    for (size_t i = 0; i < n; i++) {
        t.first[i] = t.sum[i] * t.sum[m->targets[i]];
        t.squashed[i] = tanh(t.first[i]);
        t.losses[i] = t.squashed[i] * t.token[i];
    }
    m->loss = 0;
    for (size_t i = 0; i < n; i++)
        m->loss += t.losses[i];
}
static double dealt(double *x, int n)
{
    network m;
    int text[64];
    memset(&m, 0, sizeof m);
    for (int i = 0; i <= n; i++)
        text[i] = i * 7 % n;
    forward(&m, text, text + 1, x, (size_t)n);
    double loss = m.loss;
    free(m.memory);
    free(m.inputs);
    free(m.targets);
    return loss;
}
GRADIENT(dealt)

int main(void)
{
    return CHECK(grow, 6) | CHECK(vectors, 7) | CHECK(blocks, 5) | CHECK(aligned, 5) | CHECK(matrices, 4) | CHECK(packets, 5) |
           CHECK(paths, 4) | CHECK(dealt, 5) | produced();
}
