/* Degenerate shapes: constant functions, unused arguments, empty loops, zero sizes, results that do not depend on the input. */
#include <math.h>
#include <stdio.h>

double __enzyme_autodiff(void *, ...);
void __enzyme_autodiff_v(void *, ...);

static double constant(double x) { (void)x; return 42; }
static double identity(double x) { return x; }
static double stepwise(double x) { return floor(x) + (x > 0) + (int)x; }
static double none(const double *x, int n)
{
    double s = 1;
    for (int i = 0; i < n; i++)
        s *= x[i];
    return s;
}
static void nothing(double *x) { (void)x; }
static void overwrite(double *x, int n)
{
    for (int i = 0; i < n; i++)
        x[i] = i;
}
static double late(double x, int flag)
{
    if (!flag)
        return 1;
    return x * x;
}

int main(void)
{
    int bad = 0;
    bad |= __enzyme_autodiff((void *)constant, 1.0) != 0;
    bad |= (__enzyme_autodiff((void *)identity, 1.0) != 1) << 1;
    bad |= (__enzyme_autodiff((void *)stepwise, 1.5) != 0) << 2;
    double x[2] = {2, 3}, g[2] = {0, 0};
    __enzyme_autodiff_v((void *)none, x, g, 0);
    bad |= (g[0] != 0 || g[1] != 0) << 3;
    __enzyme_autodiff_v((void *)none, x, g, 1);
    bad |= (g[0] != 1 || g[1] != 0) << 4;
    g[0] = 7;
    __enzyme_autodiff_v((void *)nothing, x, g);
    bad |= (g[0] != 7) << 5;
    g[1] = 9;
    __enzyme_autodiff_v((void *)overwrite, x, g, 2);
    bad |= (g[0] != 0 || g[1] != 0) << 6;
    bad |= (__enzyme_autodiff((void *)late, 3.0, 0) != 0 || __enzyme_autodiff((void *)late, 3.0, 1) != 6) << 7;
    if (bad)
        printf("wrong: %#x\n", bad);
    return bad != 0;
}
