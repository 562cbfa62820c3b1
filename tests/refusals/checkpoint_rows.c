#include <stdlib.h>
extern int enzyme_dup;
double __enzyme_autodiff(void *, ...);
static double f(double *x, int n)
{
    double *rows[40], sum = 0;
    for (int i = 0; i < 40; i++) {
        rows[i] = malloc(sizeof(double));
        rows[i][0] = x[0];
    }
#pragma adjoin checkpoint
    for (int t = 0; t < n; t++)
        for (int i = 0; i < 40; i++)
            rows[i][0] *= x[1]; // error: the extent of the memory that it writes through 'rows' is not known in front of it
    for (int i = 0; i < 40; i++) {
        sum += rows[i][0];
        free(rows[i]);
    }
    return sum;
}
int main(void)
{
    double x[2] = {1, 2}, bar[2] = {0};
    __enzyme_autodiff((void *)f, enzyme_dup, x, bar, 10);
    return 0;
}
