// Linked structures with shadows made by the caller.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
struct node { double value; struct node *next; };
static double sum(const struct node *n) {
    double s = 0;
    for (; n; n = n->next) s += n->value * n->value;
    return s;
}
static struct node *make(int n, double v) {
    struct node *list = 0;
    for (int i = n; i > 0; i--) {
        struct node *p = malloc(sizeof *p);
        p->value = v < 0 ? i : v;
        p->next = list;
        list = p;
    }
    return list;
}
static void release(struct node *n) {
    while (n) {
        struct node *next = n->next;
        free(n);
        n = next;
    }
}
static int failures;
static void check(const char *what, double got, double want) {
    if (!(fabs(got - want) <= 1e-9 * (1 + fabs(want)))) {
        printf("%s: %.12g, not %.12g\n", what, got, want);
        failures++;
    }
}
int main(void) {
    struct node *list = make(4, -1), *shadow = make(4, 0), *tangent = make(4, 1);
    __enzyme_autodiff((void *)sum, list, shadow);
    int i = 1;
    for (struct node *p = shadow; p; p = p->next, i++) check("shadow", p->value, 2 * i);
    check("forward", __enzyme_fwddiff((void *)sum, list, tangent), 20);
    release(list), release(shadow), release(tangent);
    return failures;
}
