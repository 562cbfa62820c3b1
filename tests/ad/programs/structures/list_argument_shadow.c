/* A linked list made by the caller, with a shadow list of the same shape. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct item { double w; struct item *next; };
void __enzyme_autodiff(void *, ...);

static double product_sum(struct item *list, double x)
{
    double s = 0, p = 1;
    for (; list != NULL; list = list->next) {
        p *= list->w * x;
        s += p;
    }
    return s;
}

static struct item *make(int n, double (*init)(int))
{
    struct item *head = NULL;
    while (n-- > 0) {
        struct item *it = malloc(sizeof *it);
        it->w = init(n);
        it->next = head;
        head = it;
    }
    return head;
}

static double weight(int i) { return 1 + 0.1 * i; }
static double zero(int i) { (void)i; return 0; }

static void drop(struct item *p)
{
    while (p) {
        struct item *n = p->next;
        free(p);
        p = n;
    }
}

int main(void)
{
    struct item *list = make(5, weight), *shadow = make(5, zero);
    __enzyme_autodiff((void *)product_sum, list, shadow, 0.8);
    int bad = 0;
    for (struct item *p = list, *q = shadow; p; p = p->next, q = q->next) {
        double k = p->w;
        p->w = k + 1e-6;
        double a = product_sum(list, 0.8);
        p->w = k - 1e-6;
        double b = product_sum(list, 0.8);
        p->w = k;
        if (!(fabs(q->w - (a - b) / 2e-6) < 1e-8)) {
            printf("%g vs %g\n", q->w, (a - b) / 2e-6);
            bad = 1;
        }
    }
    drop(list);
    drop(shadow);
    return bad;
}
