/* A list built inside the function, traversed, reversed in place, freed node by node. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct node {
    double value;
    struct node *next;
} node;

double __enzyme_autodiff(void *, ...);

static node *push(node *head, double v)
{
    node *n = malloc(sizeof(node));
    n->value = v;
    n->next = head;
    return n;
}

static node *reverse(node *head)
{
    node *prev = NULL;
    while (head) {
        node *next = head->next;
        head->next = prev;
        prev = head;
        head = next;
    }
    return prev;
}

double fold(const double *x, int n)
{
    node *list = NULL;
    for (int i = 0; i < n; i++)
        list = push(list, x[i] * x[i]);
    double acc = 1;
    for (node *p = list; p; p = p->next)
        acc = sin(acc) + p->value;
    list = reverse(list);
    for (node *p = list; p; p = p->next)
        p->value *= acc;
    while (list) {
        node *dead = list;
        acc = acc * 0.5 + list->value;
        list = list->next;
        free(dead);
    }
    return acc;
}

int main(void)
{
    double x[6] = {0.4, 1.1, -0.7, 0.2, 0.9, 1.3}, g[6] = {0};
    __enzyme_autodiff((void *)fold, x, g, 6);
    for (int i = 0; i < 6; i++) {
        double k = x[i];
        x[i] = k + 1e-6;
        double a = fold(x, 6);
        x[i] = k - 1e-6;
        double b = fold(x, 6);
        x[i] = k;
        if (!(fabs(g[i] - (a - b) / 2e-6) < 1e-7 * (1 + fabs(g[i])))) {
            printf("x[%d]: %g vs %g\n", i, g[i], (a - b) / 2e-6);
            return 1;
        }
    }
    return 0;
}
