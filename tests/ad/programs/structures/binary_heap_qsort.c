/* Sorting inside the function: heap sort of (key, payload) structs by hand; the sorted payloads weighted by rank. */
#include <math.h>
#include <stdio.h>

typedef struct { double key; int id; } item;
extern int enzyme_dup, enzyme_const;
double __enzyme_autodiff(void *, ...);

static void sift(item *h, int root, int n)
{
    for (;;) {
        int child = 2 * root + 1;
        if (child >= n)
            return;
        if (child + 1 < n && h[child + 1].key > h[child].key)
            child++;
        if (h[root].key >= h[child].key)
            return;
        item t = h[root];
        h[root] = h[child];
        h[child] = t;
        root = child;
    }
}

double rank_sum(const double *x, int n)
{
    item h[16];
    for (int i = 0; i < n; i++)
        h[i] = (item){x[i] * x[i], i};
    for (int i = n / 2; i-- > 0;)
        sift(h, i, n);
    for (int end = n - 1; end > 0; end--) {
        item t = h[0];
        h[0] = h[end];
        h[end] = t;
        sift(h, 0, end);
    }
    double s = 0;
    for (int i = 0; i < n; i++)
        s += (i + 1) * h[i].key * (1 + 0.01 * h[i].id);
    return s;
}

int main(void)
{
    double x[10], g[10] = {0};
    for (int i = 0; i < 10; i++)
        x[i] = sin(7.0 * i + 2);
    __enzyme_autodiff((void *)rank_sum, enzyme_dup, x, g, enzyme_const, 10);
    for (int i = 0; i < 10; i++) {
        int rank = 1;
        for (int j = 0; j < 10; j++)
            rank += x[j] * x[j] < x[i] * x[i];
        double want = 2 * x[i] * rank * (1 + 0.01 * i);
        if (!(fabs(g[i] - want) < 1e-13)) {
            printf("x[%d]: %g vs %g\n", i, g[i], want);
            return 1;
        }
    }
    return 0;
}
