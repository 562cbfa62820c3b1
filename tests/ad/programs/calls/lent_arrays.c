// Variables and blocks whose addresses functions get that are not inlined: some only use them, some remember them, some move pointers in them.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
extern int enzyme_dup, enzyme_const;

typedef struct Node {
    struct Node *left, *right;
    double *part;
    int leaf;
} Node;

/* It only computes, in memory that it is given. */
static void mix(double t, double (*m)[2], int depth)
{
    if (depth == 0) {
        m[0][0] = m[1][1] = cos(t);
        m[0][1] = -sin(t);
        m[1][0] = sin(t) * t;
        return;
    }
    double half[2][2];
    mix(0.5 * t, half, depth - 1);
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            m[i][j] = half[i][0] * half[0][j] + half[i][1] * half[1][j];
}

static void prune(Node *node, const double *x)
{
    if (node->leaf >= 0) {
        for (int i = 0; i < 6; i++)
            node->part[i] = 0.5 + 0.25 * x[node->leaf] * (i + 1);
        return;
    }
    prune(node->left, x);
    prune(node->right, x);
    double a[2][2], b[2][2];
    mix(node->left->part[0], a, 2);
    mix(node->right->part[1], b, 1);
    for (int s = 0; s < 3; s++)
        for (int i = 0; i < 2; i++) {
            double l = 0, r = 0;
            for (int j = 0; j < 2; j++) {
                l += a[i][j] * node->left->part[2 * s + j];
                r += b[i][j] * node->right->part[2 * s + j];
            }
            node->part[2 * s + i] = l * r;
        }
}

static Node *grow(int low, int high)
{
    Node *node = calloc(1, sizeof *node);
    node->part = calloc(6, sizeof(double));
    node->leaf = high - low == 1 ? low : -1;
    if (node->leaf < 0) {
        node->left = grow(low, (low + high) / 2);
        node->right = grow((low + high) / 2, high);
    }
    return node;
}

static void fell(Node *node)
{
    if (!node)
        return;
    fell(node->left);
    fell(node->right);
    free(node->part);
    free(node);
}

static double tree(const double *x, int n)
{
    Node *root = grow(0, n);
    prune(root, x);
    double s = 0;
    for (int i = 0; i < 6; i++)
        s += root->part[i] * (i + 1);
    fell(root);
    return s;
}

/* It remembers what it is given, in a struct. */
typedef struct {
    double *last, *before;
} Memory;

static void remember(Memory *m, double *p, int depth)
{
    if (depth > 0) {
        remember(m, p, depth - 1);
        return;
    }
    m->before = m->last;
    m->last = p;
}

static double remembered(const double *x, int n)
{
    Memory m = {NULL, NULL};
    double a[3], b[3], s = 0;
    for (int i = 0; i < 3; i++) {
        a[i] = x[i] * x[i];
        b[i] = x[i + 1 < n ? i + 1 : 0] + 2;
    }
    remember(&m, a, 2);
    remember(&m, b, 1);
    for (int i = 0; i < 3; i++) {
        s += a[i] * b[2 - i];
        m.before[i] *= m.last[i];
        m.last[2 - i] += s;
    }
    return s + a[0] * b[1] + a[2] * b[2];
}

/* It moves pointers. */
static void exchange(double **p, double **q, int depth)
{
    if (depth > 0) {
        exchange(q, p, depth - 1);
        return;
    }
    double *t = *p;
    *p = *q;
    *q = t;
}

/* It returns one of them. */
static double *larger(double *a, double *b, int depth)
{
    if (depth > 0)
        return larger(b, a, depth - 1);
    return a[0] > b[0] ? a : b;
}

static double exchanged(const double *x, int n)
{
    double a[2] = {x[0], x[1]}, b[2] = {x[2], x[n - 1]}, s = 0;
    double *rows[2] = {a, b};
    exchange(&rows[0], &rows[1], 2);
    for (int i = 0; i < 2; i++) {
        s += a[i] * a[i] * b[i];
        rows[0][i] = sin(rows[1][i]);
    }
    double *chosen = larger(a, b, 3);
    s += a[0] * b[0] * a[1];
    chosen[0] = s * s;
    chosen[1] *= 3;
    return s + a[0] * b[1] + a[1] * b[0];
}

static int check(const char *name, double (*f)(const double *, int), const double *g,
    const double *t, double *x, int n)
{
    int wrong = 0;
    for (int i = 0; i < n; i++) {
        double kept = x[i], h = 1e-6;
        x[i] = kept + h;
        double above = f(x, n);
        x[i] = kept - h;
        double below = f(x, n);
        x[i] = kept;
        double expected = (above - below) / (2 * h);
        if (!(fabs(g[i] - expected) < 1e-6 * (1 + fabs(expected)))
            || !(fabs(t[i] - g[i]) < 1e-10 * (1 + fabs(g[i])))) {
            printf("%s, component %d: %.12g, forward %.12g, differences %.12g\n", name, i, g[i],
                t[i], expected);
            wrong = 1;
        }
    }
    return wrong;
}

#define TRY(f)                                                                                   \
    {                                                                                            \
        double g[n] = {0}, t[n];                                                                 \
        __enzyme_autodiff((void *)f, enzyme_dup, x, g, enzyme_const, n);                         \
        for (int i = 0; i < n; i++) {                                                            \
            double v[n] = {0};                                                                   \
            v[i] = 1;                                                                            \
            t[i] = __enzyme_fwddiff((void *)f, enzyme_dup, x, v, enzyme_const, n);               \
        }                                                                                        \
        wrong |= check(#f, f, g, t, x, n);                                                       \
    }

int main(void)
{
    enum { n = 5 };
    double x[n] = {0.7, -0.4, 1.2, 0.3, 0.9};
    int wrong = 0;
    TRY(tree)
    TRY(remembered)
    TRY(exchanged)
    return wrong;
}
