/* Pointers that walk: *p++, backwards, two at once, through char offsets, pointer to pointer cursors. */
#include <math.h>
#include <stdio.h>

void __enzyme_autodiff(void *, ...);

static double take(const double **cursor) { return *(*cursor)++; }

double walk(const double *x, int n)
{
    const double *p = x, *q = x + n;
    double s = 0;
    while (p < q)
        s += *p++ * *--q;
    const double *cursor = x;
    double first = take(&cursor), second = take(&cursor);
    s += first / second;
    const char *bytes = (const char *)x;
    s += sin(*(const double *)(bytes + 2 * sizeof(double)));
    double copy[8], *w = copy;
    for (p = x + n; p-- != x;)
        *w++ = *p;
    do
        s *= 1 + 0.01 * w[-1];
    while (--w > copy);
    return s;
}

int main(void)
{
    double x[7] = {1.1, 0.9, -0.4, 2.0, 0.3, -1.2, 0.6}, g[7] = {0};
    __enzyme_autodiff((void *)walk, x, g, 7);
    for (int i = 0; i < 7; i++) {
        double k = x[i];
        x[i] = k + 1e-6;
        double a = walk(x, 7);
        x[i] = k - 1e-6;
        double b = walk(x, 7);
        x[i] = k;
        if (!(fabs(g[i] - (a - b) / 2e-6) < 1e-8)) {
            printf("x[%d]: %g vs %g\n", i, g[i], (a - b) / 2e-6);
            return 1;
        }
    }
    return 0;
}
