/* Copies and fills of bytes: run-time sizes, overlapping ranges, parts of arrays and structs, raw buffers. */
#include "check.h"
#include <stdint.h>

static double shifted(double *x, int n)
{
    double y[32];
    for (int i = 0; i < n; i++)
        y[i] = x[i] * x[i];
    memmove(y + 1, y, (n - 1) * sizeof(double));
    memmove(y, y + 2, (n - 2) * sizeof *y);
    double s = 0;
    for (int i = 0; i < n; i++)
        s += y[i] * x[i] * (i + 1);
    return s;
}
GRADIENT(shifted)

/* Through void * and char *, in and out of a raw buffer. */
static void put(void *to, const void *from, size_t bytes)
{
    memcpy(to, from, bytes);
}

static double buffer(double *x, int n)
{
    char raw[512];
    unsigned char *heap = malloc(n * sizeof(double));
    double y[32], z[32];
    memset(raw, 0, sizeof raw);
    put(raw + 16, x, n * sizeof(double));
    put(heap, raw + 16, n * sizeof(double));
    put(y, heap, n * sizeof(double));
    memcpy(z, x + 1, 2 * sizeof(double));
    double s = y[0] * z[1] + z[0];
    for (int i = 0; i < n; i++)
        s += y[i] * y[i] * y[n - 1 - i];
    free(heap);
    return s;
}
GRADIENT(buffer)

struct item {
    int id;
    double v[2];
    char tag;
    float w;
    double *p;
};

static double structs(double *x, int n)
{
    double extra = x[0] * 3;
    struct item a[4], b[4], c;
    memset(a, 0, sizeof a);
    for (int i = 0; i < 4; i++) {
        a[i].id = i;
        a[i].v[0] = x[i % n];
        a[i].v[1] = x[i % n] * x[(i + 1) % n];
        a[i].w = 1.5f;
        a[i].p = i % 2 ? &extra : x;
    }
    memcpy(b, a, sizeof a);
    memcpy(b + 1, a, n > 2 ? 2 * sizeof *a : sizeof *a);
    memmove(&b[2], &b[1], 2 * sizeof(struct item));
    c = b[3];
    memcpy(&c.v, &b[0].v, sizeof c.v);
    memcpy(c.v + 1, x, sizeof(double));
    double s = c.v[0] * c.v[1] * *c.p;
    for (int i = 0; i < 4; i++)
        s += b[i].v[0] * b[i].v[1] * *b[i].p * b[i].w;
    return s;
}
GRADIENT(structs)

/* A part of a struct, up to a member. */
static double part(double *x, int n)
{
    struct three {
        double a, b, c;
    } s = {x[0], x[1] * x[0], x[n - 1]}, t = {1, 2, 3};
    memcpy(&t, &s, 2 * sizeof(double));
    memset(&s, 0, sizeof(double));
    return t.a * t.b * t.c + s.a * 5 + s.b * s.c;
}
GRADIENT(part)

/* Bits that travel as integers and come back. */
static double travel(double *x, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++) {
        uint64_t bits, other[2] = {0, 0};
        double back, y = x[i] * x[i];
        memcpy(&bits, &y, sizeof bits);
        memcpy(&other[1], &bits, sizeof bits);
        memcpy(&back, &other[1], sizeof back);
        s += back * x[i];
    }
    return s;
}
GRADIENT(travel)

/* Filled again, with something else than zero too: the old values are gone. */
static double filled(double *x, int n)
{
    double y[8], s = 0;
    for (int i = 0; i < n; i++)
        y[i] = x[i] * x[i];
    s += y[1] * y[2];
    memset(y, 0, 2 * sizeof(double));
    s += y[0] + y[1] + y[2] * x[0];
    memset(y, 0x40, sizeof(double));
    s += y[0] * x[1];
    for (int i = 0; i < n; i++)
        y[i] += x[i];
    return s + y[0] * y[1] + y[n - 1];
}
GRADIENT(filled)

/* Generic containers: elements of a size that is a number. */
struct stack {
    char *data;
    size_t size, count, room;
};

static void stack_push(struct stack *s, const void *element)
{
    if (s->count == s->room) {
        s->room = s->room ? 2 * s->room : 4;
        s->data = realloc(s->data, s->room * s->size);
    }
    memcpy(s->data + s->count++ * s->size, element, s->size);
}

static void stack_pop(struct stack *s, void *element)
{
    memcpy(element, s->data + --s->count * s->size, s->size);
}

static double containers(double *x, int n)
{
    struct stack s = {NULL, sizeof(double), 0, 0};
    double sum = 0, y;
    for (int i = 0; i < n; i++) {
        y = x[i] * x[(i + 1) % n];
        stack_push(&s, &y);
    }
    for (int i = 0; i < n; i++) {
        stack_pop(&s, &y);
        sum += y * y * x[i];
    }
    free(s.data);
    return sum;
}
GRADIENT(containers)

/* Which of two buffers, and whether it is active, is known at run time. */
static const double table[4] = {1, 2, 3, 4};

static double choice(double *x, int n)
{
    double y[4] = {0}, s = 0;
    for (int k = 0; k < n; k++) {
        const double *from = k % 2 ? x : table;
        memcpy(y, from, 3 * sizeof(double));
        for (int i = 0; i < 3; i++)
            s += y[i] * x[k] * (i + k);
    }
    return s;
}
GRADIENT(choice)

/* Numbers that library functions write: they do not depend on what was there. */
static double scanned(double *x, int n)
{
    double a = x[0] * x[1], b = x[n - 1], s = a * b;
    if (sscanf("2.5 3.5", "%lf %lf", &a, &b) != 2)
        return -1;
    return s + a * x[0] + b * b * x[1];
}
GRADIENT(scanned)

/* A part of an array of integers in a struct, as long as a number in the struct says, between structs with pointers. */
typedef struct {
    unsigned char rank;
    int shape[4];
    double *data;
} array;
static array *like(const array *a, double *data)
{
    array *b = calloc(1, sizeof *b);
    b->rank = a->rank;
    memcpy(b->shape, a->shape, b->rank * sizeof(int));
    b->data = data;
    return b;
}
static double shapes(double *x, int n)
{
    array a = {(unsigned char)(n / 3), {2, n / 2}, x};
    double *twice = malloc(n * sizeof(double)), s = 0;
    array *b = like(&a, twice), *c = like(b, x);
    for (int i = 0; i < b->shape[0]; i++)
        for (int j = 0; j < b->shape[1]; j++)
            b->data[i * b->shape[1] + j] = 2 * sin(a.data[i * b->shape[1] + j]);
    for (int i = 0; i < c->shape[0] * c->shape[1]; i++)
        s += b->data[i] * c->data[i];
    free(twice);
    free(b);
    free(c);
    return s;
}
GRADIENT(shapes)

int main(void)
{
    return CHECK(shifted, 7) | CHECK(buffer, 5) | CHECK(structs, 3) | CHECK(part, 3) | CHECK(travel, 4) | CHECK(filled, 4) |
           CHECK(containers, 6) | CHECK(choice, 4) | CHECK(scanned, 3) | CHECK(shapes, 6);
}
