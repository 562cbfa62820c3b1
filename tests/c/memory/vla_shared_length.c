// Two arrays with one length that is computed before.
#include <stdio.h>
static double both(double x, int n)
{
    unsigned long length = (unsigned long)n + 1;
    double v[length], w[length];
    for (int i = 0; i <= n; i++) {
        v[i] = x * i;
        w[i] = v[i] + 1;
    }
    return v[n] * w[1];
}
int main(void)
{
    printf("%g %g\n", both(2.0, 3), both(1.5, 4));
    return 0;
}
