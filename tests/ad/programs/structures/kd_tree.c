/* A k-d tree over indices in an array; nearest neighbours found by recursion, distance differentiated. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define N 12
typedef struct { int point, left, right; } knode;
typedef struct { knode nodes[N]; int count; } ktree;

double __enzyme_autodiff(void *, ...);
extern int enzyme_dup, enzyme_const;

static int insert(ktree *t, const double *pts, int root, int p, int axis)
{
    if (root < 0) {
        t->nodes[t->count] = (knode){p, -1, -1};
        return t->count++;
    }
    knode *n = &t->nodes[root];
    if (pts[2 * p + axis] < pts[2 * n->point + axis])
        n->left = insert(t, pts, n->left, p, !axis);
    else
        n->right = insert(t, pts, n->right, p, !axis);
    return root;
}

static void nearest(const ktree *t, const double *pts, int root, const double *q, int axis, double *best, int *which)
{
    if (root < 0)
        return;
    const knode *n = &t->nodes[root];
    double dx = q[0] - pts[2 * n->point], dy = q[1] - pts[2 * n->point + 1], d = dx * dx + dy * dy;
    if (d < *best) {
        *best = d;
        *which = n->point;
    }
    double split = q[axis] - pts[2 * n->point + axis];
    nearest(t, pts, split < 0 ? n->left : n->right, q, !axis, best, which);
    if (split * split < *best)
        nearest(t, pts, split < 0 ? n->right : n->left, q, !axis, best, which);
}

double total_distance(const double *pts, const double *queries, int count)
{
    ktree t = {.count = 0};
    int root = -1;
    for (int i = 0; i < N; i++)
        root = insert(&t, pts, root, i, 0);
    double sum = 0;
    for (int i = 0; i < count; i++) {
        double best = 1e30;
        int which = -1;
        nearest(&t, pts, root, queries + 2 * i, 0, &best, &which);
        sum += sqrt(best) * (which + 1);
    }
    return sum;
}

int main(void)
{
    double pts[2 * N], dp[2 * N] = {0}, q[8] = {0.1, 0.4, -0.5, 0.2, 0.7, -0.6, 0, 0}, dq[8] = {0};
    for (int i = 0; i < 2 * N; i++)
        pts[i] = sin(5.0 * i + 1);
    __enzyme_autodiff((void *)total_distance, enzyme_dup, pts, dp, enzyme_dup, q, dq, enzyme_const, 4);
    for (int i = 0; i < 2 * N + 8; i++) {
        double *v = i < 2 * N ? pts + i : q + i - 2 * N, g = i < 2 * N ? dp[i] : dq[i - 2 * N], k = *v;
        *v = k + 1e-7;
        double a = total_distance(pts, q, 4);
        *v = k - 1e-7;
        double b = total_distance(pts, q, 4);
        *v = k;
        if (!(fabs(g - (a - b) / 2e-7) < 1e-6 * (1 + fabs(g)))) {
            printf("variable %d: %g vs %g\n", i, g, (a - b) / 2e-7);
            return 1;
        }
    }
    return 0;
}
