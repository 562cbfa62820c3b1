// A function with a derivative of the program's own, called by threads: it adds to shadows as it likes.
#include "../../check.h"
static void mix(const double *a, double *out)
{
    *out = a[0] * a[1] + a[0];
}
static void *mix_forward(const double *a, double *a_bar, double *out, double *out_bar)
{
    (void)a_bar;
    (void)out_bar;
    *out = a[0] * a[1] + a[0];
    return NULL;
}
static void mix_reverse(const double *a, double *a_bar, double *out, double *out_bar, void *tape)
{
    (void)tape;
    (void)out;
    a_bar[0] += *out_bar * (a[1] + 1);
    a_bar[1] += *out_bar * a[0];
    *out_bar = 0;
}
void *__enzyme_register_gradient_mix[3] = {(void *)mix, (void *)mix_forward, (void *)mix_reverse};
static double f(double *x, int n)
{
    double y[64], s = 0;
#pragma omp parallel for
    for (int i = 0; i < n - 1; i++)
        mix(x + i % 3, y + i);
    for (int i = 0; i < n - 1; i++)
        s += y[i] * y[i] * x[i];
    return s;
}
static void f_gradient(double *x, double *bar, int n)
{
    __enzyme_autodiff((void *)f, x, bar, n);
}
static double f_tangent(double *x, double *dot, int n)
{
    double bar[64] = {0}, sum = 0;
    f_gradient(x, bar, n);
    for (int i = 0; i < n; i++)
        sum += bar[i] * dot[i];
    return sum;
}
int main(void) { return CHECK(f, 15); }
