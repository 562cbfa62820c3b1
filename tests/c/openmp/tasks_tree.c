// flags: -fopenmp
// Tasks over a heap-allocated tree and a linked list; taskgroup.
#include "../check.h"
#include <stdlib.h>

struct node { int value; struct node *left, *right; long sum; };

static struct node *build(int low, int high)
{
    if (low > high)
        return NULL;
    struct node *n = malloc(sizeof *n);
    if (!n)
        exit(9);
    n->value = (low + high) / 2;
    n->sum = 0;
    n->left = build(low, n->value - 1);
    n->right = build(n->value + 1, high);
    return n;
}
static void accumulate(struct node *n)
{
    if (!n)
        return;
#pragma omp taskgroup
    {
#pragma omp task
        accumulate(n->left);
#pragma omp task
        accumulate(n->right);
    }
    n->sum = n->value + (n->left ? n->left->sum : 0) + (n->right ? n->right->sum : 0);
}
static void destroy(struct node *n)
{
    if (n) {
        destroy(n->left);
        destroy(n->right);
        free(n);
    }
}

int main(void)
{
    struct node *root = build(1, 200);
#pragma omp parallel
#pragma omp single nowait
    accumulate(root);
    CHECK(root->sum == 20100);
    int squares[20];
#pragma omp parallel
#pragma omp single
    {
        for (int i = 0; i < 20; i++) {
#pragma omp task firstprivate(i) shared(squares)
            squares[i] = i * i;
        }
#pragma omp taskwait
        for (int i = 1; i < 20; i++)
            squares[i] += squares[i - 1];
    }
    CHECK(squares[19] == 2470);
    printf("%ld %d\n", root->sum, squares[19]);
    destroy(root);
    return check_done();
}
