/* Forward mode over recursion and trees on the heap built inside the function. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct tree { double key; struct tree *child[2]; } tree;
double __enzyme_fwddiff(void *, ...);
extern int enzyme_dup, enzyme_const;

static tree *insert(tree *t, double key)
{
    if (!t) {
        t = calloc(1, sizeof *t);
        t->key = key;
    } else {
        int side = key > t->key;
        t->child[side] = insert(t->child[side], key);
    }
    return t;
}

static double walk(const tree *t, int depth) { return t ? walk(t->child[0], depth + 1) + t->key / depth + sin(walk(t->child[1], depth + 1)) : 0; }

static void destroy(tree *t)
{
    if (t) {
        destroy(t->child[0]);
        destroy(t->child[1]);
        free(t);
    }
}

double build_and_sum(const double *x, int n)
{
    tree *t = NULL;
    for (int i = 0; i < n; i++)
        t = insert(t, x[i] * x[i]);
    double s = walk(t, 1);
    destroy(t);
    return s;
}

int main(void)
{
    double x[7] = {0.9, 0.2, 1.4, 0.5, 1.1, 0.7, 1.9}, v[7] = {1, -1, 0.5, 0.25, 0, 2, -0.3}, up[7], down[7];
    double d = __enzyme_fwddiff((void *)build_and_sum, enzyme_dup, x, v, enzyme_const, 7);
    for (int i = 0; i < 7; i++) {
        up[i] = x[i] + 1e-6 * v[i];
        down[i] = x[i] - 1e-6 * v[i];
    }
    double fd = (build_and_sum(up, 7) - build_and_sum(down, 7)) / 2e-6;
    if (!(fabs(d - fd) < 1e-7 * (1 + fabs(fd)))) {
        printf("%g vs %g\n", d, fd);
        return 1;
    }
    return 0;
}
