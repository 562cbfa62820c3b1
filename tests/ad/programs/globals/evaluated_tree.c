/* A tree that was built before, whose nodes keep values, also reached through a table. */
#include "check.h"

typedef struct T {
    int op;
    int leaf;
    double val, w;
    struct T *l, *r;
} T;
static T *root;
static const double *env;
static T *memo[64];
static int nm;
static T *mk(int op, T *l, T *r, int leaf)
{
    T *t = malloc(sizeof *t);
    *t = (T){op, leaf, 0, 1 + .1 * leaf, l, r};
    return t;
}
static T *build(int d, int *k, int n)
{
    if (d == 0) {
        T *t = mk(0, 0, 0, (*k)++ % n);
        memo[nm++] = t;
        return t;
    }
    T *l = build(d - 1, k, n);
    T *r = build(d - 1, k, n);
    T *t = mk(1 + d % 3, l, r, 0);
    memo[nm++] = t;
    return t;
}
static double eval(T *t)
{
    if (!t)
        return 0;
    switch (t->op) {
    case 0:
        t->val = env[t->leaf] * t->w;
        break;
    case 1:
        t->val = eval(t->l) + eval(t->r);
        break;
    case 2:
        t->val = eval(t->l) * eval(t->r);
        break;
    default:
        t->val = sin(eval(t->l)) + eval(t->r) * .5;
    }
    return t->val;
}
double f(const double *x, int n)
{
    (void)n;
    env = x;
    double s = eval(root);
    for (int i = 0; i < nm; i++)
        s += memo[i]->val * .01 * i;
    return s;
}
int main(void)
{
    for (int n = 2; n < 7; n += 2) {
        int k = 0;
        nm = 0;
        root = build(3, &k, n);
        CHECK(f, n);
        for (int i = 0; i < nm; i++)
            free(memo[i]);
    }
    return failures != 0;
}
