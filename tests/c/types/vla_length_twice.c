// Two variable-length arrays whose length is one variable.
#include <stdio.h>

static double both(const double *x, int n)
{
    unsigned long k = 2 * n;
    double a[k], b[k];
    double s = 0;
    for (unsigned long i = 0; i < k; i++) {
        a[i] = x[i % n];
        b[k - 1 - i] = a[i] * (double)i;
    }
    for (unsigned long i = 0; i < k; i++)
        s += a[i] * b[i];
    return s;
}

int main(void)
{
    double x[3] = {1.5, 2.5, -0.5};
    printf("%g\n", both(x, 3));
    return 0;
}
