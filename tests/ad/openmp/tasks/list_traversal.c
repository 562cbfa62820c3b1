// A task for every node of a list.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
typedef struct node { double value, result; struct node *next; } node;
double __enzyme_autodiff(void *, ...);
extern int enzyme_dup, enzyme_const;
static double work(double v)
{
    double t = v;
    for (int k = 0; k < 6; k++)
        t = sin(t) + 0.5 * v;
    return t;
}
static double total(const double *x, int n)
{
    node *head = NULL;
    double s = 0;
    for (int i = n - 1; i >= 0; i--) {
        node *e = malloc(sizeof *e);
        e->value = x[i];
        e->result = 0;
        e->next = head;
        head = e;
    }
#pragma omp parallel
#pragma omp single
    for (node *e = head; e; e = e->next) {
#pragma omp task firstprivate(e)
        e->result = work(e->value);
    }
    while (head) {
        node *gone = head;
        s += head->result * head->result;
        head = head->next;
        free(gone);
    }
    return s;
}
/* A struct that only the function knows, in tasks. */
static double local_type(double *x, int n)
{
    struct item {
        double v, out;
        struct item *next;
    } *items = malloc((size_t)n * sizeof *items);
    double s = 0;
    for (int i = 0; i < n; i++) {
        items[i].v = x[i];
        items[i].next = i ? &items[i - 1] : 0;
    }
#pragma omp parallel
#pragma omp single
    for (struct item *p = &items[n - 1]; p; p = p->next) {
#pragma omp task firstprivate(p)
        p->out = p->v * p->v * 0.5 + cos(p->v);
    }
    for (int i = 0; i < n; i++)
        s += items[i].out * items[i].v;
    free(items);
    return s;
}
static int check_local_type(void)
{
    double x[3] = {0.4, 0.9, 1.3}, b[3] = {0};
    int bad = 0;
    __enzyme_autodiff((void *)local_type, enzyme_dup, x, b, enzyme_const, 3);
    for (int i = 0; i < 3; i++)
        bad |= !(fabs(b[i] - (1.5 * x[i] * x[i] + cos(x[i]) - x[i] * sin(x[i]))) < 1e-12);
    return bad;
}
int main(void)
{
    double x[12], b[12] = {0};
    int bad = 0;
    for (int i = 0; i < 12; i++)
        x[i] = 0.3 + 0.1 * i;
    __enzyme_autodiff((void *)total, enzyme_dup, x, b, enzyme_const, 12);
    for (int i = 0; i < 12; i++) {
        double h = 1e-6, at = x[i];
        x[i] = at + h;
        double up = total(x, 12);
        x[i] = at - h;
        double numeric = (up - total(x, 12)) / (2 * h);
        x[i] = at;
        if (!(fabs(b[i] - numeric) < 1e-6)) {
            printf("node %d: %g, not %g\n", i, b[i], numeric);
            bad = 1;
        }
    }
    return bad | check_local_type();
}
