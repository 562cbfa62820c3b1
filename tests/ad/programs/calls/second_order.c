// Second derivatives of functions that stay calls: the tapes of the first derivative have shadows, too.
#include <math.h>
#include <stdio.h>

extern int enzyme_dup, enzyme_const;
int enzyme_dup, enzyme_const;
double __enzyme_autodiff(void *, ...);
void __enzyme_fwddiff(void *, ...);

enum { N = 5 };

static double tree(const double *x, int low, int high)
{
    double left, right;
    int middle = (low + high) / 2;
    if (high - low == 1)
        return sin(x[low]) * x[low];
    left = tree(x, low, middle);
    right = tree(x, middle, high);
    return left * right + 0.3 * exp(0.2 * left) + right;
}
static double f(const double *x)
{
    return tree(x, 0, N);
}
static void gradient(const double *x, double *bar)
{
    for (int i = 0; i < N; i++)
        bar[i] = 0.0;
    __enzyme_autodiff((void *)f, enzyme_dup, x, bar);
}
static double along(const double *x, const double *v)
{
    double bar[N], sum = 0.0;
    gradient(x, bar);
    for (int i = 0; i < N; i++)
        sum += v[i] * bar[i];
    return sum;
}

int main(void)
{
    double x[N], v[N], bar[N], product[N], again[N] = {0}, worst = 0.0;
    for (int i = 0; i < N; i++)
        x[i] = 0.4 + 0.2 * i, v[i] = 1.0 - 0.3 * i;
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < N; i++)
            bar[i] = product[i] = again[i] = 0.0;
        __enzyme_fwddiff((void *)gradient, enzyme_dup, x, v, enzyme_dup, bar, product);
        __enzyme_autodiff((void *)along, enzyme_dup, x, again, enzyme_const, v);
        for (int i = 0; i < N; i++) {
            double h = 1e-5, y[N], up[N], down[N], numeric;
            for (int k = 0; k < N; k++)
                y[k] = x[k] + h * v[k];
            gradient(y, up);
            for (int k = 0; k < N; k++)
                y[k] = x[k] - h * v[k];
            gradient(y, down);
            numeric = (up[i] - down[i]) / (2 * h);
            worst = fmax(worst, fabs(product[i] - numeric) / (0.01 + fabs(numeric)));
            worst = fmax(worst, fabs(again[i] - product[i]) / (0.01 + fabs(product[i])));
        }
    }
    if (!(worst < 1e-7))
        printf("error %g\n", worst);
    return !(worst < 1e-7);
}
