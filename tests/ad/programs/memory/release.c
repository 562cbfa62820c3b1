// A program frees what its threads keep for the next call, as often as it likes, and goes on.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

extern int enzyme_dup, enzyme_const;
int enzyme_dup, enzyme_const;
void __enzyme_autodiff(void *, ...);
void adjoin_release_memory(void);

/* Keeps a value for each step and element. */
static double steps(double *x, int n, int count)
{
    double sum = 0;
    for (int step = 0; step < count; step++)
        for (int i = 0; i < n; i++) {
            x[i] = sin(x[i]) + 0.1 * x[(i + 1) % n] * x[i];
            sum += x[i];
        }
    return sum;
}

int main(void)
{
    enum { N = 100, STEPS = 100 };
    double first[N], worst = 0;
    for (int round = 0; round < 4; round++) {
        double x[N], bar[N] = {0};
        for (int i = 0; i < N; i++)
            x[i] = 0.5 + 0.001 * i;
        __enzyme_autodiff((void *)steps, enzyme_dup, x, bar, enzyme_const, N, enzyme_const, STEPS);
        for (int i = 0; i < N; i++) {
            if (round == 0)
                first[i] = bar[i];
            worst = fmax(worst, fabs(bar[i] - first[i]));
        }
        adjoin_release_memory();
        if (round == 2)
            adjoin_release_memory();
    }
    return worst != 0;
}
