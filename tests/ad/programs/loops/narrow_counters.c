/* Counters of narrow types that go around, as numbers of buffers, and one that only ends at a number behind its largest */
#include <math.h>
#include <stdio.h>
#include <string.h>
double __enzyme_autodiff(void *, ...);
extern int enzyme_dup, enzyme_const;
#define N 12

static double f(const double *x, int n)
{
    double b[3][4], sum = 0;
    for (int i = 0; i < n; i++)
        b[i / 4][i % 4] = x[i];
    for (unsigned char t = 0, c = 0; c < 255; t += 7, c++)
        for (int k = 0; k < 4; k++)
            b[t % 3][k] = sin(b[(unsigned char)(t + 1) % 3][k]) * b[(t + 2) % 3][3 - k] + 0.2;
    for (unsigned t = 4294967293u; t != 4; t++)
        for (int k = 0; k < 4; k++)
            b[t % 3][k] = 0.9 * b[(t + 1) % 3][3 - k] + 0.1 * b[(t + 1) % 3][k] * b[(t + 2) % 3][k];
    for (int i = 0; i < n; i++)
        sum += b[i / 4][i % 4] * (i + 1);
    return sum;
}
int main(void)
{
    double x[N], d[N] = {0};
    int failures = 0;
    for (int i = 0; i < N; i++)
        x[i] = 1 + 0.3 * cos(i);
    __enzyme_autodiff((void *)f, enzyme_dup, x, d, enzyme_const, N);
    for (int i = 0; i < N; i++) {
        double y[N], e = 1e-6;
        memcpy(y, x, sizeof y);
        y[i] += e;
        double up = f(y, N);
        y[i] -= 2 * e;
        double want = (up - f(y, N)) / (2 * e);
        if (!(fabs(d[i] - want) <= 1e-7 * (1 + fabs(want))))
            failures++, printf("%d: %.12g instead of %.12g\n", i, d[i], want);
    }
    return failures != 0;
}
