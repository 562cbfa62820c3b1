// Recursion: sums over arrays and trees, sorting, lists, mutual recursion, scratch memory, global state.
#include "check.h"

static double product(const double *x, int n)
{
    if (n == 0)
        return 1;
    return (1 + 0.3 * x[0]) * product(x + 1, n - 1);
}
static double array(double *x, int n)
{
    return product(x, n) + x[0] * product(x + 1, n - 1);
}
GRADIENT(array)

struct tree {
    double value;
    struct tree *left, *right;
};

static struct tree *build(const double *x, int low, int high)
{
    if (low >= high)
        return NULL;
    int middle = (low + high) / 2;
    struct tree *t = malloc(sizeof *t);
    t->value = sin(x[middle]);
    t->left = build(x, low, middle);
    t->right = build(x, middle + 1, high);
    return t;
}

static double fold(const struct tree *t)
{
    if (!t)
        return 0.5;
    double l = fold(t->left), r = fold(t->right);
    return t->value * l + r * r;
}

static void scale(struct tree *t, double by)
{
    if (t) {
        t->value *= by;
        scale(t->left, by * 1.1);
        scale(t->right, by * by);
    }
}

static void drop(struct tree *t)
{
    if (!t)
        return;
    drop(t->left);
    drop(t->right);
    free(t);
}

static double trees(double *x, int n)
{
    struct tree *t = build(x, 0, n);
    double a = fold(t);
    scale(t, x[1]);
    double b = fold(t);
    drop(t);
    return a * b;
}
GRADIENT(trees)

static void sort(double *a, int low, int high)
{
    if (low >= high)
        return;
    double pivot = a[(low + high) / 2];
    int i = low, j = high;
    while (i <= j) {
        while (a[i] < pivot)
            i++;
        while (a[j] > pivot)
            j--;
        if (i <= j) {
            double t = a[i];
            a[i] = a[j];
            a[j] = t;
            i++;
            j--;
        }
    }
    sort(a, low, j);
    sort(a, i, high);
}
static double quicksort(double *x, int n)
{
    double a[64], s = 0;
    for (int i = 0; i < n; i++)
        a[i] = sin(5 * x[i]);
    sort(a, 0, n - 1);
    for (int i = 0; i < n; i++)
        s += (i + 1) * a[i] * a[i];
    return s;
}
GRADIENT(quicksort)

static double odd(const double *x, int n);
static double even(const double *x, int n)
{
    return n == 0 ? 1 : x[n - 1] * odd(x, n - 1) + 0.5;
}
static double odd(const double *x, int n)
{
    if (n == 0)
        return 2;
    double t = even(x, n - 1);
    return t * t * 0.3 + x[n - 1];
}
static double mutual(double *x, int n)
{
    return even(x, n < 7 ? n : 7);
}
GRADIENT(mutual)

struct cell {
    double v;
    struct cell *next;
};
static struct cell *cons(double v, struct cell *rest)
{
    struct cell *c = malloc(sizeof *c);
    if (!c)
        abort();
    c->v = v;
    c->next = rest;
    return c;
}
static struct cell *list(const double *x, int n)
{
    return n == 0 ? NULL : cons(x[0] * x[0], list(x + 1, n - 1));
}
static struct cell *reverse(struct cell *l, struct cell *done)
{
    if (!l)
        return done;
    struct cell *next = l->next;
    l->next = done;
    return reverse(next, l);
}
static double horner(const struct cell *l, double at)
{
    return l ? l->v + at * horner(l->next, at) : 0;
}
static void release(struct cell *l)
{
    if (l) {
        release(l->next);
        free(l);
    }
}
static double lists(double *x, int n)
{
    struct cell *l = reverse(list(x, n), NULL);
    double s = horner(l, x[0] * 0.5);
    release(l);
    return s;
}
GRADIENT(lists)

// Scratch memory of a size that is known only at run time, in each call.
static double halves(const double *x, int n)
{
    if (n == 1)
        return x[0];
    double half[n / 2 + 1];
    int m = 0;
    for (int i = 0; i + 1 < n; i += 2)
        half[m++] = x[i] * x[i + 1];
    if (n % 2)
        half[m++] = x[n - 1];
    return halves(half, m) + 0.1 * half[0] * half[m - 1];
}
static double scratch(double *x, int n)
{
    return halves(x, n);
}
GRADIENT(scratch)

static double total;
static void visit(const double *x, int low, int high, double weight)
{
    if (high - low == 1) {
        total += weight * x[low] * x[low] * total * 0.1 + x[low];
        return;
    }
    int middle = (low + high) / 2;
    visit(x, low, middle, weight * 0.9);
    visit(x, middle, high, weight * x[low]);
}
static double accumulated(double *x, int n)
{
    total = 0;
    visit(x, 0, n, 1);
    return total * total;
}
GRADIENT(accumulated)

// Many early returns, deep.
static double ackermann(int m, int n, double x, int *calls)
{
    if (++*calls > 400)
        return x;
    if (m == 0)
        return x * 1.01 + 0.01 * n;
    if (n == 0)
        return ackermann(m - 1, 1, x * 0.99, calls);
    double inner = ackermann(m, n - 1, x, calls);
    if (inner > 3)
        return inner * 0.5 + ackermann(m - 1, n, x, calls) * 0.1;
    return ackermann(m - 1, n, sin(inner), calls);
}
static double deep(double *x, int n)
{
    int calls = 0;
    return ackermann(2, 3, x[0] * x[n - 1], &calls);
}
GRADIENT(deep)

// Recursive transform with strides and scratch from the heap.
static void walsh(double *a, int n, int stride)
{
    if (n == 1)
        return;
    walsh(a, n / 2, 2 * stride);
    walsh(a + stride, n / 2, 2 * stride);
    double *t = malloc(n * sizeof *t);
    for (int k = 0; k < n / 2; k++) {
        double even = a[2 * k * stride], odd = a[(2 * k + 1) * stride];
        t[k] = even + 0.7 * odd;
        t[k + n / 2] = even - odd * even;
    }
    for (int k = 0; k < n; k++)
        a[k * stride] = t[k];
    free(t);
}
static double transform(double *x, int n)
{
    double a[8];
    for (int i = 0; i < 8; i++)
        a[i] = x[i % n];
    walsh(a, 8, 1);
    double s = 0;
    for (int i = 0; i < 8; i++)
        s += a[i] * a[i] * (i + 1);
    return s;
}
GRADIENT(transform)

// Recursion inside a loop, with a loop inside.
static double nested(const double *x, int n, int depth)
{
    double s = 0;
    for (int i = 0; i < n; i++) {
        if (depth == 0) {
            s += x[i] * x[i];
            continue;
        }
        double t = nested(x + i, 2, depth - 1);
        if (t > 50)
            break;
        s += t * x[i];
    }
    return s;
}
static double loops(double *x, int n)
{
    return nested(x, n - 4, 2);
}
GRADIENT(loops)

int main(void)
{
    int bad = 0;
    bad |= CHECK(array, 9);
    bad |= CHECK(trees, 11);
    bad |= CHECK(quicksort, 13);
    bad |= CHECK(mutual, 7);
    bad |= CHECK(lists, 8);
    bad |= CHECK(scratch, 11);
    bad |= CHECK(accumulated, 9);
    bad |= CHECK(deep, 4);
    bad |= CHECK(transform, 8);
    bad |= CHECK(loops, 10);
    return bad;
}
