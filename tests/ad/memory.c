// Memory: heap, lists that are freed, swapped buffers, recurrences in place, structs, unions, copies.
#include "check.h"

struct node {
    double v;
    struct node *next;
};

static double list(double *x, int n)
{
    struct node *head = 0;
    for (int i = 0; i < n; i++) {
        struct node *p = malloc(sizeof *p);
        p->v = x[i] * x[i];
        p->next = head;
        head = p;
    }
    double s = 1;
    while (head) {
        struct node *next = head->next;
        s = s * 0.5 + head->v * s;
        free(head);
        head = next;
    }
    return s;
}
GRADIENT(list)

static double swapped(double *x, int n)
{
    double *a = malloc(n * sizeof(double)), *b = calloc(n, sizeof(double));
    for (int i = 0; i < n; i++)
        a[i] = b[i] = x[i];
    for (int t = 0; t < 6; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = a[i] + 0.1 * (a[i - 1] - 2 * a[i] + a[i + 1]) * a[i];
        double *swap = a;
        a = b;
        b = swap;
    }
    double s = 0;
    for (int i = 0; i < n; i++)
        s += a[i] * a[i];
    free(a);
    free(b);
    return s;
}
GRADIENT(swapped)

static double in_place(double *x, int n)
{
    double u[64];
    for (int i = 0; i < n; i++)
        u[i] = x[i];
    for (int t = 0; t < 4; t++)
        for (int i = 0; i < n - 1; i++)
            u[i] = 0.3 * u[i + 1] * u[i + 1] + 0.1 * u[i];
    double s = 0;
    for (int i = 0; i < n; i++)
        s += u[i] * (i + 1);
    return s;
}
GRADIENT(in_place)

static double scratch_in_loop(double *x, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++) {
        double t[3], *p = malloc(2 * sizeof *p);
        t[0] = x[i];
        t[1] = t[0] * t[0];
        t[2] = t[1] * t[0];
        p[0] = t[2];
        p[1] = p[0] * t[1];
        s += p[1] * s + t[2];
        free(p);
    }
    return s;
}
GRADIENT(scratch_in_loop)

typedef struct {
    double x, y, z;
} vec;
typedef struct {
    vec p, v;
    double m;
    int id;
} body;

static vec minus(vec a, vec b)
{
    return (vec){a.x - b.x, a.y - b.y, a.z - b.z};
}
static double square(vec a)
{
    return a.x * a.x + a.y * a.y + a.z * a.z;
}
static double energy(const body *b, int n)
{
    double e = 0;
    for (int i = 0; i < n; i++) {
        e += 0.5 * b[i].m * square(b[i].v);
        for (int j = i + 1; j < n; j++)
            e -= b[i].m * b[j].m / sqrt(square(minus(b[i].p, b[j].p)) + 0.01);
    }
    return e;
}
static double structs(double *x, int n)
{
    body b[8], c[8];
    memset(b, 0, sizeof b);
    n = n / 3;
    for (int i = 0; i < n; i++) {
        b[i].p.x = x[3 * i];
        b[i].p.y = x[3 * i + 1];
        b[i].p.z = x[3 * i + 2];
        b[i].v = b[i].p;
        b[i].v.x *= 0.3;
        b[i].m = 1 + 0.1 * i;
    }
    memcpy(c, b, sizeof c);
    c[1] = b[2];
    return energy(c, n) + energy(b, n);
}
GRADIENT(structs)

struct variant {
    int tag;
    union {
        int i;
        double d;
    } u;
};
static double tagged(double *x, int n)
{
    struct variant a[64];
    double s = 0;
    for (int i = 0; i < n; i++) {
        a[i].tag = i % 3 != 0;
        if (a[i].tag)
            a[i].u.d = x[i] * x[i];
        else
            a[i].u.i = i + 2;
    }
    for (int i = 0; i < n; i++)
        s += a[i].tag ? a[i].u.d * x[0] : (double)a[i].u.i * x[i];
    return s;
}
GRADIENT(tagged)

static double rows(double *x, int n)
{
    double *row[8], data[64], s = 0;
    int m = n < 8 ? n : 8;
    for (int i = 0; i < m; i++) {
        row[i] = &data[8 * i];
        for (int j = 0; j < m; j++)
            row[i][j] = x[i] * x[j] + i;
    }
    for (int k = 0; k < m; k++)
        for (int i = 0; i < m; i++)
            s += row[i][k] * row[k][i];
    return s;
}
GRADIENT(rows)

static double overwritten(double *x, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++) {
        double old = x[i];
        x[i] = old * old + (i ? x[i - 1] : 0);
        s += sin(x[i]);
        x[i] = old;
    }
    return s;
}
GRADIENT(overwritten)

static double vla(double *x, int n)
{
    double a[n][n], s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i][j] = x[i] * x[j] + (i == j);
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i < n; i++) {
            double f = a[i][k] / a[k][k];
            for (int j = k; j < n; j++)
                a[i][j] -= f * a[k][j];
        }
    for (int i = 0; i < n; i++)
        s += log(fabs(a[i][i]));
    return s;
}
GRADIENT(vla)

int main(void)
{
    int bad = 0;
    for (int n = 6; n < 13; n += 3)
        bad |= CHECK(list, n) | CHECK(swapped, n) | CHECK(in_place, n) | CHECK(scratch_in_loop, n) | CHECK(structs, n) | CHECK(tagged, n) |
               CHECK(rows, n) | CHECK(overwritten, n) | CHECK(vla, n);
    return bad;
}
