/* restrict, const, volatile-free register and auto keywords, arrays with static in parameters. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>

extern int enzyme_dup, enzyme_const;
extern void __enzyme_autodiff(void *, ...);

static inline void saxpy(const size_t n, const double alpha, const double *restrict const x, double *restrict const y)
{
    for (register size_t i = 0; i < n; ++i)
        y[i] += alpha * x[i];
}

static double reduce(const double v[static 1], const ptrdiff_t n)
{
    auto double acc = 0.0;
    const double *const end = v + n;
    for (const double *it = v; it != end; ++it)
        acc = fma(*it, *it, acc);
    return acc;
}

void kernel(const double *restrict const a, const double *restrict const x, double *restrict const y, double *restrict const norm)
{
    for (int k = 0; k < 3; k++)
        saxpy(5, a[k], x + k, y);
    *norm = sqrt(reduce(y, 5));
}

int main(void)
{
    double a[3] = {0.5, -0.2, 0.9}, x[7] = {1, 2, 3, 4, 5, 6, 7}, y0[5] = {0.1, 0.2, 0.3, 0.4, 0.5}, y[5], norm = 0;
    double da[3] = {0}, dx[7] = {0}, dy[5] = {0}, dnorm = 2.0;
    for (int i = 0; i < 5; i++)
        y[i] = y0[i];
    __enzyme_autodiff((void *)kernel, enzyme_dup, a, da, enzyme_dup, x, dx, enzyme_dup, y, dy, enzyme_dup, &norm, &dnorm);
    double want[3] = {0, 0, 0};
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 5; i++)
            want[k] += 2 * y[i] / norm * x[i + k];
    for (int k = 0; k < 3; k++)
        if (!(fabs(da[k] - want[k]) < 1e-12)) {
            printf("a[%d]: %g vs %g\n", k, da[k], want[k]);
            return 1;
        }
    for (int i = 0; i < 5; i++)
        if (!(fabs(dy[i] - 2 * y[i] / norm) < 1e-12)) {
            printf("y[%d]: %g vs %g\n", i, dy[i], 2 * y[i] / norm);
            return 1;
        }
    return 0;
}
