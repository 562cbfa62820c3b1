// A function with a gradient of the user's, called in a parallel loop; it is wrong on purpose, to see that it is used.
#include <math.h>
#include <stdio.h>
#define N 15
double __enzyme_autodiff(void *, ...);
int enzyme_dup, enzyme_const;
static void half(const double *x, double *y) { *y = *x * *x; }
static void augment_half(const double *x, double *dx, double *y, double *dy)
{
    (void)dx;
    (void)dy;
    *y = *x * *x;
}
static void gradient_half(const double *x, double *dx, double *y, double *dy)
{
    (void)y;
    *dx += 100 * *x * *dy;
    *dy = 0;
}
void *__enzyme_register_gradient_half[] = {(void *)half, (void *)augment_half, (void *)gradient_half};
static double f(const double *x, int n)
{
    double s = 0;
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++) {
        double y;
        half(&x[i], &y);
        s += y * (i + 1);
    }
    return s;
}
int main(void)
{
    double x[N], b[N] = {0};
    int bad = 0;
    for (int i = 0; i < N; i++)
        x[i] = 1 + i;
    __enzyme_autodiff((void *)f, enzyme_dup, x, b, enzyme_const, N);
    for (int i = 0; i < N; i++)
        if (b[i] != 100 * x[i] * (i + 1)) {
            printf("%d: %g, not %g\n", i, b[i], 100 * x[i] * (i + 1));
            bad = 1;
        }
    return bad;
}
