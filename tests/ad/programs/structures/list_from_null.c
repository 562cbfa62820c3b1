/* A list that starts as NULL: the function that appends to it is called with NULL first, and tests its argument as a truth value. So are optional arguments. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

extern int enzyme_dup;
void __enzyme_autodiff(void *, ...);

typedef struct layer {
    double *w;
    struct layer *next;
} layer;

static layer *append(layer *head, double *w)
{
    layer *l = calloc(1, sizeof *l), *last;
    l->w = w;
    if (!head)
        return l;
    for (last = head; last->next; last = last->next)
        ;
    last->next = l;
    return head;
}

static double dot(const double *a, const double *weight, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s += a[i] * (weight ? weight[i] : 2.0);
    return s;
}

static double product(double *w)
{
    layer *net = append(NULL, w);
    double s = 1;
    append(net, NULL);
    append(net, w + 1);
    for (layer *l = net; l; l = l->next)
        s *= l->w ? l->w[0] * l->w[1] : 0.5;
    while (net) {
        layer *next = net->next;
        free(net);
        net = next;
    }
    return s + dot(w, NULL, 3) + dot(w, w, 3);
}

int main(void)
{
    double w[3] = {3, 5, 7}, bar[3] = {0};
    /* w0 w1² w2 / 2 + 2 (w0 + w1 + w2) + w0² + w1² + w2² */
    const double wanted[3] = {25 * 7 / 2.0 + 2 + 6, 3 * 5 * 7 + 2 + 10, 75 / 2.0 + 2 + 14};
    __enzyme_autodiff((void *)product, enzyme_dup, w, bar);
    for (int i = 0; i < 3; i++)
        if (!(fabs(bar[i] - wanted[i]) < 1e-12)) {
            printf("%d: %.15g, expected %.15g\n", i, bar[i], wanted[i]);
            return 1;
        }
    return 0;
}
