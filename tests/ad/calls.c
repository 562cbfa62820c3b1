// Calls that stay calls: pointers that are swapped, returned and handed out, memory made and freed elsewhere, scratch memory in statics, calls in loops.
#include "check.h"

// Everything here is reached through a recursive function, so that it cannot be inlined away.
static void smooth(double **from, double **to, int n, int times)
{
    if (times == 0)
        return;
    for (int i = 0; i < n; i++)
        (*to)[i] = 0.5 * (*from)[i] + 0.25 * (*from)[(i + 1) % n] * (*from)[i];
    double *swap = *from;
    *from = *to;
    *to = swap;
    smooth(from, to, n, times - 1);
}
static double swapped(double *x, int n)
{
    double *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b), s = 0;
    memcpy(a, x, n * sizeof *a);
    smooth(&a, &b, n, 3);
    for (int i = 0; i < n; i++)
        s += a[i] * (i + 1);
    free(a);
    free(b);
    return s;
}
GRADIENT(swapped)

static double *largest(double *x, int n)
{
    if (n == 1)
        return x;
    double *rest = largest(x + 1, n - 1);
    return *rest > *x ? rest : x;
}
static double places(double *x, int n)
{
    double y[64];
    for (int i = 0; i < n; i++)
        y[i] = x[i] * x[i];
    for (int k = 0; k < 4; k++)
        *largest(y, n) *= 0.5 * x[k];
    return *largest(y, n) + *largest(y, n / 2);
}
GRADIENT(places)

struct buffer {
    double *data;
    int size, room;
};
static void push(struct buffer *b, double v, int levels)
{
    if (levels > 0) {
        push(b, v * 0.5, levels - 1);
        push(b, v * v, levels - 1);
        return;
    }
    if (b->size == b->room) {
        int room = b->room ? 2 * b->room : 2;
        double *data = malloc(room * sizeof *data);
        for (int i = 0; i < b->size; i++)
            data[i] = b->data[i];
        free(b->data);
        b->data = data;
        b->room = room;
    }
    b->data[b->size++] = v;
}
static double grown(double *x, int n)
{
    struct buffer b = {0};
    for (int i = 0; i < n; i++)
        push(&b, x[i], i % 3);
    double s = 0;
    for (int i = 1; i < b.size; i++)
        s += b.data[i] * b.data[i - 1];
    free(b.data);
    return s;
}
GRADIENT(grown)

static double workspace[64];
static void prefix(const double *x, int n, double *out)
{
    if (n == 0)
        return;
    prefix(x, n - 1, out);
    workspace[n - 1] = (n > 1 ? workspace[n - 2] : 1) * x[n - 1];
    out[n - 1] = workspace[n - 1] + sin(workspace[0]);
}
static double statics(double *x, int n)
{
    double out[64], s = 0;
    prefix(x, n, out);
    prefix(out, n, out);
    for (int i = 0; i < n; i++)
        s += out[i];
    return s;
}
GRADIENT(statics)

// The adjoint of an output that is overwritten, and of an argument that is both.
static void update(double *u, const double *v, int n, int depth)
{
    if (depth == 0) {
        for (int i = 0; i < n; i++)
            u[i] = 0.4 * u[i] * v[i] + 0.3;
        return;
    }
    update(u, v, n, depth - 1);
    u[depth % n] = v[0] * v[1];
    update(u, u, n, depth - 1);
}
static double overwritten(double *x, int n)
{
    double u[64];
    for (int i = 0; i < n; i++)
        u[i] = 0.1 * x[i];
    update(u, x, n, 3);
    double s = 0;
    for (int i = 0; i < n; i++)
        s += u[i] * x[i];
    return s;
}
GRADIENT(overwritten)

// Calls under conditions and in loops that are left early; a result that is not used; numbers of several types.
static float power(float x, unsigned n)
{
    return n == 0 ? 1 : n % 2 ? x * power(x, n - 1) : power(x * x, n / 2);
}
static long double fraction(const double *x, int n)
{
    if (n == 1)
        return x[0];
    if (x[0] < -100)
        exit(3);
    return x[0] + 1 / fraction(x + 1, n - 1);
}
static int sign(const double *x, int n)
{
    return n == 0 ? 1 : x[0] > 1 ? -sign(x + 1, n - 1) : sign(x + 1, n - 1);
}
static double mixed(double *x, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++) {
        fraction(x, 2);
        if (x[i] > 1.15)
            s += (double)fraction(x + i / 2, n - i / 2);
        else if (i == 6)
            break;
        s += sign(x, i) * x[i];
    }
    // A power in float is as smooth as the numbers that reach it allow: keep those exact.
    return s + 1e-3 * power(0.5f, 3) * x[0];
}
GRADIENT(mixed)

// Pointers to pointers, rows that a callee allocates and another frees.
static double **rows(int n, int m)
{
    if (n == 0)
        return calloc(8, sizeof(double *));
    double **r = rows(n - 1, m);
    r[n - 1] = calloc(m, sizeof(double));
    return r;
}
static void destroy(double **r, int n)
{
    if (n == 0) {
        free(r);
        return;
    }
    free(r[n - 1]);
    destroy(r, n - 1);
}
static double determinant(double **a, int n)
{
    if (n == 1)
        return a[0][0];
    double d = 0;
    for (int c = 0; c < n; c++) {
        double **minor = rows(n - 1, n - 1);
        for (int i = 1; i < n; i++)
            for (int j = 0, k = 0; j < n; j++)
                if (j != c)
                    minor[i - 1][k++] = a[i][j];
        d += (c % 2 ? -1 : 1) * a[0][c] * determinant(minor, n - 1);
        destroy(minor, n - 1);
    }
    return d;
}
static double matrices(double *x, int n)
{
    double **a = rows(4, 4);
    for (int i = 0; i < 16; i++)
        a[i / 4][i % 4] = x[i % n] + (i % 5 == 0) * x[i / 5];
    double d = determinant(a, 4);
    destroy(a, 4);
    return d;
}
GRADIENT(matrices)

int main(void)
{
    int bad = 0;
    bad |= CHECK(swapped, 6);
    bad |= CHECK(places, 9);
    bad |= CHECK(grown, 7);
    bad |= CHECK(statics, 5);
    bad |= CHECK(overwritten, 4);
    bad |= CHECK(mixed, 8);
    bad |= CHECK(matrices, 7);
    return bad;
}
