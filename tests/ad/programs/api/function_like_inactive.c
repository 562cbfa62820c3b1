/* Functions declared to behave like known ones, inactive functions and parameters by registration and attribute. */
#include <math.h>
#include <stdio.h>

double __enzyme_autodiff(void *, ...);

__attribute__((noinline)) static double my_log1p(double x) { return log(1 + x); }
void *__enzyme_function_like_log1p[] = {(void *)my_log1p, (void *)"log1p"};

__attribute__((noinline)) static double rounded_scale(double x) { return (double)(long)(x * 1024) / 1024; }
void *__enzyme_inactivefn_scale[] = {(void *)rounded_scale};

__attribute__((enzyme_inactive, noinline)) static double monitor(double x)
{
    static double highest;
    if (x > highest)
        highest = x;
    return highest;
}

double f(double x)
{
    double s = rounded_scale(x);
    monitor(x);
    return my_log1p(x) * s;
}

int main(void)
{
    double x = 0.375, g = __enzyme_autodiff((void *)f, x), want = rounded_scale(x) / (1 + x);
    if (!(fabs(g - want) < 1e-14)) {
        printf("%g, expected %g\n", g, want);
        return 1;
    }
    return 0;
}
