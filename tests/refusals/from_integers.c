// Pointers that were made from integers, whichever way they take: nobody knows their shadows.
#include <stdint.h>
#include <stdlib.h>
double __enzyme_autodiff(void *, ...);
struct node { double v; uintptr_t link; struct node *both; };
static double marked(double *x, int n)
{
    struct node *list = calloc(n + 1, sizeof *list), *at = NULL;
    for (int i = 0; i < n; i++) {
        list[i].v = x[i];
        list[i].link = (uintptr_t)at | (i & 3);
        at = &list[i];
    }
    double s = 0;
    while (at) {
        s += at->v * at->v; // error: an access through a pointer that was made from an integer
        at = (struct node *)(at->link & ~(uintptr_t)3);
    }
    free(list);
    return s;
}
static double between(double *x, int n)
{
    struct node *list = calloc(n + 1, sizeof *list), *before = NULL, *at = list;
    for (int i = 0; i < n; i++) {
        list[i].v = x[i];
        list[i].both = (struct node *)((uintptr_t)(i ? &list[i - 1] : NULL) ^ (uintptr_t)&list[i + 1]); // error: a store of a pointer that was made from an integer
    }
    double s = 0;
    for (int i = 0; i < n; i++) {
        struct node *next = (struct node *)((uintptr_t)before ^ (uintptr_t)at->both);
        s += at->v * at->v;
        before = at;
        at = next;
    }
    free(list);
    return s;
}
static double *opened(uintptr_t key, int rounds)
{
    return rounds ? opened(key ^ 5, rounds - 1) : (double *)key; // error: this result: a pointer that was made from an integer
}
static double behind_key(double *x, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++) {
        double *p = opened((uintptr_t)(x + i) ^ 5, 1);
        s += *p * *p;
    }
    return s;
}
int main(void)
{
    double x[4] = {1, 2, 3, 4}, b[4] = {0};
    __enzyme_autodiff((void *)marked, x, b, 4);
    __enzyme_autodiff((void *)between, x, b, 4);
    __enzyme_autodiff((void *)behind_key, x, b, 4);
    return 0;
}
