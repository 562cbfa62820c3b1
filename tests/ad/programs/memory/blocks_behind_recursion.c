// Heap blocks that variables at file scope hold, read and written by functions that stay calls because they are recursive.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int enzyme_dup, enzyme_const;
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

static double *heap;

static double product(int m) { return m == 0 ? 1 : heap[m - 1] * product(m - 1) + heap[0]; }

static double read_block(const double *x, int n)
{
    heap = malloc(n * sizeof *heap);
    for (int i = 0; i < n; i++) heap[i] = x[i] * 2;
    double r = product(n);
    free(heap);
    return r;
}

static void fill(const double *x, int n)
{
    if (!n) return;
    heap[n - 1] = x[n - 1] * x[0];
    fill(x, n - 1);
}

static double written_block(const double *x, int n)
{
    heap = calloc(n, sizeof *heap);
    fill(x, n);
    double r = product(n) * x[0];
    free(heap);
    return r;
}

static struct { double *a, *b; int n; double scale; } context;

static void exchange(int depth)
{
    if (!depth) return;
    for (int i = 0; i < context.n; i++) context.a[i] = context.a[i] * context.b[i] + context.scale;
    double *t = context.a;
    context.a = context.b;
    context.b = t;
    exchange(depth - 1);
}

static double exchanged_blocks(const double *x, int n)
{
    context.n = n;
    context.scale = x[1];
    context.a = malloc(n * sizeof(double));
    context.b = malloc(n * sizeof(double));
    for (int i = 0; i < n; i++) {
        context.a[i] = x[i];
        context.b[i] = cos(x[i]);
    }
    exchange(5);
    double s = 0;
    for (int i = 0; i < n; i++) s += context.a[i] * context.b[i] * context.b[i];
    free(context.a);
    free(context.b);
    return s;
}

static const double **rows;

/* The determinant by expansion, with the rows left as a set of bits. */
static double determinant(int k, unsigned used, int n)
{
    if (k == n) return 1;
    double s = 0;
    int sign = 1;
    for (int j = 0; j < n; j++) {
        if (used >> j & 1) continue;
        s += sign * rows[k][j] * determinant(k + 1, used | 1u << j, n);
        sign = -sign;
    }
    return s;
}

static double row_pointers(const double *x, int n)
{
    int d = (int)(sqrt(n) + 0.5);
    rows = malloc(d * sizeof *rows);
    for (int i = 0; i < d; i++) rows[i] = x + i * d;
    double r = determinant(0, 0, d);
    free(rows);
    return r;
}

static double *memo;

static double series(int k, double a, double b)
{
    if (k < 2) return k ? a : b;
    if (memo[k] != 0) return memo[k];
    return memo[k] = series(k - 1, a, b) * 0.7 + series(k - 2, a, b) * a;
}

static double remembered(const double *x, int n)
{
    memo = calloc(n + 20, sizeof *memo);
    double r = series(12, x[0], x[1]);
    r += memo[5] * memo[7];
    free(memo);
    memo = NULL;
    return r;
}

typedef double function(const double *, int);

static int differs(const char *name, double a, double b, double tolerance)
{
    if (fabs(a - b) <= tolerance * (1 + fabs(b))) return 0;
    printf("%s: %.12g, expected %.12g\n", name, a, b);
    return 1;
}

#define CHECK(f)                                                                                  \
    do {                                                                                          \
        double g[9] = {0}, v[9], up[9], down[9], dot = 0, h = 1e-5;                               \
        for (int i = 0; i < 9; i++) {                                                             \
            v[i] = sin(1.7 * i + 0.3);                                                            \
            up[i] = x[i] + h * v[i];                                                              \
            down[i] = x[i] - h * v[i];                                                            \
        }                                                                                         \
        __enzyme_autodiff((void *)f, enzyme_dup, x, g, enzyme_const, 9);                          \
        for (int i = 0; i < 9; i++) dot += g[i] * v[i];                                           \
        function *const call = f;                                                                 \
        bad += differs(#f, dot, (call(up, 9) - call(down, 9)) / (2 * h), 1e-7);                   \
        double tangent = __enzyme_fwddiff((void *)f, enzyme_dup, x, v, enzyme_const, 9);          \
        bad += differs(#f ", forward", tangent, dot, 1e-12);                                      \
    } while (0)

int main(void)
{
    double x[9] = {0.31, 0.42, 1.3, 0.77, 0.15, 0.9, 0.2, 0.8, 1.1};
    int bad = 0;
    for (int again = 0; again < 2; again++) {
        CHECK(read_block);
        CHECK(written_block);
        CHECK(exchanged_blocks);
        CHECK(row_pointers);
        CHECK(remembered);
    }
    return bad;
}
