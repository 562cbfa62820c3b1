/* A soft decision tree as linked heap nodes, evaluated by recursion; shadow tree given by the caller. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct node {
    double weight, threshold;
    double value;
    struct node *left, *right;
};

void __enzyme_autodiff(void *, ...);

static struct node *build(int depth, int index, int zero)
{
    struct node *n = malloc(sizeof *n);
    n->weight = zero ? 0 : 1.0 + 0.3 * sin(index);
    n->threshold = zero ? 0 : 0.2 * cos(index);
    n->value = zero ? 0 : 0.5 * index;
    n->left = n->right = NULL;
    if (depth > 0) {
        n->left = build(depth - 1, 2 * index, zero);
        n->right = build(depth - 1, 2 * index + 1, zero);
    }
    return n;
}

static void destroy(struct node *n)
{
    if (!n)
        return;
    destroy(n->left);
    destroy(n->right);
    free(n);
}

static double evaluate(const struct node *n, double x)
{
    if (!n->left)
        return n->value;
    double p = 1 / (1 + exp(-n->weight * (x - n->threshold)));
    return (1 - p) * evaluate(n->left, x) + p * evaluate(n->right, x);
}

static double squared(const struct node *root, double x)
{
    double y = evaluate(root, x);
    return y * y;
}

static int compare(struct node *root, struct node *n, const struct node *shadow)
{
    double *field[3] = {&n->weight, &n->threshold, &n->value};
    const double got[3] = {shadow->weight, shadow->threshold, shadow->value};
    for (int i = 0; i < 3; i++) {
        double k = *field[i];
        *field[i] = k + 1e-6;
        double a = squared(root, 0.4);
        *field[i] = k - 1e-6;
        double b = squared(root, 0.4);
        *field[i] = k;
        if (!(fabs(got[i] - (a - b) / 2e-6) < 1e-6)) {
            printf("field %d: %g vs %g\n", i, got[i], (a - b) / 2e-6);
            return 1;
        }
    }
    return n->left ? compare(root, n->left, shadow->left) || compare(root, n->right, shadow->right) : 0;
}

int main(void)
{
    struct node *root = build(3, 1, 0), *shadow = build(3, 1, 1);
    __enzyme_autodiff((void *)squared, root, shadow, 0.4);
    int bad = compare(root, root, shadow);
    destroy(root);
    destroy(shadow);
    return bad;
}
