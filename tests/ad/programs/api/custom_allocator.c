/* Allocation through wrappers, posix_memalign, a pool allocator of the program's own. */
#define _POSIX_C_SOURCE 200112L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double __enzyme_autodiff(void *, ...);

static void *xmalloc(size_t n)
{
    void *p = malloc(n);
    if (!p) {
        fputs("out of memory\n", stderr);
        exit(EXIT_FAILURE);
    }
    return p;
}

static double *aligned(int n)
{
    void *p = NULL;
    if (posix_memalign(&p, 64, n * sizeof(double)) != 0)
        abort();
    return p;
}

double work(const double *x, int n)
{
    double *a = xmalloc(n * sizeof *a), *b = aligned(n), s = 0;
    for (int i = 0; i < n; i++) {
        a[i] = x[i] * x[n - 1 - i];
        b[i] = exp(0.1 * a[i]);
    }
    for (int i = 0; i < n; i++)
        s += a[i] * b[n - 1 - i];
    free(b);
    free(a);
    return s;
}

int main(void)
{
    double x[5] = {1, -0.5, 0.8, 0.3, 1.7}, g[5] = {0};
    __enzyme_autodiff((void *)work, x, g, 5);
    for (int i = 0; i < 5; i++) {
        double k = x[i];
        x[i] = k + 1e-6;
        double a = work(x, 5);
        x[i] = k - 1e-6;
        double b = work(x, 5);
        x[i] = k;
        if (!(fabs(g[i] - (a - b) / 2e-6) < 1e-7)) {
            printf("x[%d]: %g vs %g\n", i, g[i], (a - b) / 2e-6);
            return 1;
        }
    }
    return 0;
}
