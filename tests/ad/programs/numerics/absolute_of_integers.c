// Absolute values of integers as floating-point numbers: clang warns of them where nothing says that they are meant.
#include <math.h>
#include <stdio.h>

double __enzyme_autodiff(void *, ...);
int enzyme_dup, enzyme_const;

static double spread(const double *x, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            s += x[i] * x[j] * fabs((double)(i - j)) + fabsf((float)(j - 2)) * x[i];
    return s;
}

int main(void)
{
    double x[5] = {1, -2, 0.5, 3, 0.25}, x_bar[5] = {0};
    __enzyme_autodiff((void *)spread, enzyme_dup, x, x_bar, enzyme_const, 5);
    int wrong = 0;
    for (int i = 0; i < 5; i++) {
        double expected = 6;
        for (int j = 0; j < 5; j++)
            expected += 2 * x[j] * (i > j ? i - j : j - i);
        wrong += fabs(x_bar[i] - expected) > 1e-12;
        if (fabs(x_bar[i] - expected) > 1e-12)
            printf("[%d]: %g instead of %g\n", i, x_bar[i], expected);
    }
    return wrong;
}
