/* Unions and numbers whose bits travel as integers. */
#include "check.h"
#include <stdint.h>

struct value {
    enum { INTEGER, NUMBER, TEXT } kind;
    union {
        long i;
        double d;
        const char *s;
    } u;
};

static struct value number(double d)
{
    struct value v;
    v.kind = NUMBER;
    v.u.d = d;
    return v;
}

static struct value integer(long i)
{
    struct value v;
    v.kind = INTEGER;
    v.u.i = i;
    return v;
}

static double as_number(struct value v)
{
    switch (v.kind) {
    case INTEGER:
        return (double)v.u.i;
    case NUMBER:
        return v.u.d;
    default:
        return 0;
    }
}

static double tagged(double *x, int n)
{
    struct value stack[16], copy[16];
    int top = 0;
    double s = 0;
    for (int i = 0; i < n; i++) {
        stack[top++] = number(x[i] * x[i]);
        if (i % 2)
            stack[top++] = integer(i + 2);
    }
    memcpy(copy, stack, top * sizeof *stack);
    while (top > 0) {
        double a = as_number(copy[--top]);
        s = s * 0.5 + a * x[top % n];
    }
    return s;
}
GRADIENT(tagged)

/* The same numbers under two names. */
union vec3 {
    struct {
        double x, y, z;
    } p;
    double v[3];
};

static double names(double *x, int n)
{
    union vec3 a, b;
    for (int i = 0; i < 3; i++)
        a.v[i] = x[i % n] * (i + 1);
    b = a;
    b.p.y *= a.p.x;
    return b.v[1] * a.p.z + b.p.x * b.v[2];
}
GRADIENT(names)

/* Copied as an integer, and overwritten as one. */
union bits {
    double d;
    uint64_t u;
};

static double moved(double *x, int n)
{
    union bits a, b, c[3];
    double s = 0;
    for (int i = 0; i < n; i++) {
        a.d = x[i] * x[i];
        b.u = a.u;
        c[i % 3].u = b.u;
        s += c[i % 3].d * x[0];
        c[i % 3].u = 0x3ff8000000000000u;
        s += c[i % 3].d * x[i];
        a.u = 0;
        s += a.d;
    }
    return s;
}
GRADIENT(moved)

/* Looked at as an integer: sign and exponent decide a branch, a hash picks a number. */
static double looked(double *x, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++) {
        uint64_t u;
        double y = x[i] - 1.0;
        memcpy(&u, &y, sizeof u);
        int exponent = (int)(u >> 52 & 0x7ff) - 1023;
        double sign = (double)(u >> 63);
        s += (u >> 63 ? y * y : 3 * y) * (1 + (exponent < -100)) + sign * y;
    }
    return s;
}
GRADIENT(looked)

/* Pointers to integers over numbers, in two arrays (the compiler must know). */
typedef uint64_t __attribute__((__may_alias__)) word;

static double words(double *x, int n)
{
    double y[8] = {0};
    for (int i = 0; i < n; i++)
        ((word *)y)[i] = ((const word *)x)[n - 1 - i];
    double s = 0;
    for (int i = 0; i < n; i++)
        s += y[i] * y[i] * x[i];
    return s;
}
GRADIENT(words)

/* A pointer in one member and an index in another. */
struct node {
    int is_leaf;
    union {
        double value;
        int index[2];
    } u;
};

static double tree(double *x, int n)
{
    struct node t[15];
    int count = 0;
    for (; count < n; count++) {
        t[count].is_leaf = 1;
        t[count].u.value = x[count] * x[count];
    }
    for (int i = 0; i + 1 < count && count < 15; i += 2) {
        t[count].is_leaf = 0;
        t[count].u.index[0] = i;
        t[count].u.index[1] = i + 1;
        count++;
    }
    double sum[15];
    for (int i = 0; i < count; i++)
        sum[i] = t[i].is_leaf ? t[i].u.value : sum[t[i].u.index[0]] * sum[t[i].u.index[1]];
    return sum[count - 1];
}
GRADIENT(tree)

/* Cells of four numbers in one array, the last of which holds flags. */
#define CELL 4
#define FLAGS(g, i) (*(unsigned *)((void *)&(g)[(i) * CELL + 3]))
static double flagged(double *x, int n)
{
    double *cells = malloc(n * CELL * sizeof(double)), s = 0;
    memset(cells, 0, n * CELL * sizeof(double));
    for (int i = 0; i < n; i++) {
        cells[i * CELL] = x[i] * x[i];
        cells[i * CELL + 2] = 3 * x[i];
        FLAGS(cells, i) |= i % 2 ? 1 : 2;
    }
    for (int i = 0; i < n * CELL; i += CELL) {
        if (*(unsigned *)(void *)&cells[i + 3] & 1)
            s += cells[i] * x[i / CELL];
        else
            s += cells[i + 2] * cells[i];
        for (int k = 0; k < 3; k++)
            s += cells[i + k];
    }
    free(cells);
    return s;
}
GRADIENT(flagged)

int main(void)
{
    return CHECK(tagged, 5) | CHECK(names, 3) | CHECK(moved, 5) | CHECK(looked, 5) | CHECK(words, 5) | CHECK(tree, 4) |
           CHECK(flagged, 5);
}
