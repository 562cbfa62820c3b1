#include <stdlib.h>
extern int enzyme_dup;
double __enzyme_autodiff(void *, ...);
static double f(double *x, int n)
{
    double y = x[0];
#pragma adjoin checkpoint
    for (int t = 0; t < n; t++)
        y = y * x[1] + rand() % 3; // error: this loop with checkpoints: iterations run again, and a call of 'rand' cannot
    return y;
}
int main(void)
{
    double x[2] = {1, 2}, bar[2] = {0};
    __enzyme_autodiff((void *)f, enzyme_dup, x, bar, 10);
    return 0;
}
