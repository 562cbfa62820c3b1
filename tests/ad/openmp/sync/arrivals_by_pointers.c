// Threads that count themselves where pointers lead: nodes of trees that know their parents, counters in functions that call themselves, and what the last one to arrive overwrites.
#include "../../check.h"
#include <omp.h>

struct node {
    double value;
    int arrived;
    struct node *left, *right, *parent;
};

static void combine(struct node *at)
{
    at->value = sin(at->left->value * at->right->value) + 0.1 * at->left->value;
}

static double in_one_array(double *x, int n)
{
    enum { LEAVES = 16 };
    struct node *all = calloc(2 * LEAVES, sizeof *all);
    for (int i = 1; i < 2 * LEAVES; i++) {
        all[i].parent = i > 1 ? &all[i / 2] : NULL;
        if (i < LEAVES) {
            all[i].left = &all[2 * i];
            all[i].right = &all[2 * i + 1];
        }
    }
#pragma omp parallel for schedule(static, 1)
    for (int i = 0; i < LEAVES; i++) {
        struct node *at = &all[LEAVES + i];
        at->value = x[i % n] * x[(i + 1) % n];
        for (at = at->parent; at; at = at->parent) {
            int before;
#pragma omp atomic capture seq_cst
            before = at->arrived++;
            if (before == 0)
                break;
            combine(at);
        }
    }
    double result = all[1].value;
    free(all);
    return result;
}
GRADIENT(in_one_array)

static struct node *grow(int depth, struct node *parent, struct node **leaves, int *count)
{
    struct node *a = calloc(1, sizeof *a);
    a->parent = parent;
    if (depth == 0) {
        leaves[(*count)++] = a;
        return a;
    }
    a->left = grow(depth - 1, a, leaves, count);
    a->right = grow(depth - 1, a, leaves, count);
    return a;
}

static void cut(struct node *a)
{
    if (a) {
        cut(a->left);
        cut(a->right);
        free(a);
    }
}

static double one_by_one(double *x, int n)
{
    struct node *leaves[16];
    int count = 0;
    struct node *top = grow(4, NULL, leaves, &count);
#pragma omp parallel for
    for (int i = 0; i < count; i++) {
        struct node *at = leaves[i];
        at->value = x[i % n] * x[(i + 1) % n];
        for (at = at->parent; at; at = at->parent) {
            int before;
#pragma omp critical(arrive)
            before = at->arrived++;
            if (before == 0)
                break;
            combine(at);
        }
    }
    double result = top->value;
    cut(top);
    return result;
}
GRADIENT(one_by_one)

/* The first thread leaves something behind, which nobody reads, and the last one overwrites it. */
static double overwritten(double *x, int n)
{
    double z = 0;
    int count = 0;
#pragma omp parallel
    {
        int arrived, me = omp_get_thread_num(), threads = omp_get_num_threads();
        if (me == 0)
            z = 3 * x[0] * x[0];
#pragma omp atomic capture seq_cst
        arrived = ++count;
        if (arrived == threads)
            z = x[1] * x[2 % n];
    }
    return z * z;
}
GRADIENT(overwritten)

static int next(int *count, int depth)
{
    return depth > 0 ? next(count, depth - 1) : ++*count;
}

static double counted_by_function(double *x, int n)
{
    double part[64] = {0}, result = 0;
    int count = 0;
#pragma omp parallel
    {
        int arrived, me = omp_get_thread_num(), threads = omp_get_num_threads();
        double own = 0;
#pragma omp for nowait
        for (int i = 0; i < n; i++)
            own += x[i] * x[i] * x[i];
        part[me] = own;
#pragma omp critical
        arrived = next(&count, 3);
        if (arrived == threads)
            for (int k = 0; k < threads; k++)
                result += part[k] * part[k];
    }
    return result * result / (count * count);
}
GRADIENT(counted_by_function)

int main(void)
{
    return CHECK(in_one_array, 6) | CHECK(one_by_one, 5) | CHECK(overwritten, 4) | CHECK(counted_by_function, 6);
}
