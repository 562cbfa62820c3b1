/* Adams-Bashforth 3 with a ring buffer of past slopes (index modulo), Euler start. */
#include <math.h>
#include <stdio.h>

int enzyme_dup, enzyme_const;
void __enzyme_autodiff(void *, ...);

#define HISTORY 3

double ab3(const double *restrict c, int steps)
{
    double slopes[HISTORY];
    double y = c[0], t = 0, h = 2.0 / steps;
    int head = 0;
    for (int n = 0; n < steps; n++, t += h) {
        slopes[head] = c[1] * y * (1.0 - y / c[2]);
        if (n < 2) {
            y += h * slopes[head];
        } else {
            int m1 = (head + HISTORY - 1) % HISTORY, m2 = (head + HISTORY - 2) % HISTORY;
            y += h / 12.0 * (23.0 * slopes[head] - 16.0 * slopes[m1] + 5.0 * slopes[m2]);
        }
        head = (head + 1) % HISTORY;
    }
    return y;
}

int main(void)
{
    double c[3] = {0.1, 2.0, 1.5}, d[3] = {0};
    __enzyme_autodiff((void *)ab3, enzyme_dup, c, d, enzyme_const, 64);
    int rc = 0;
    for (int i = 0; i < 3; i++) {
        double save = c[i];
        c[i] = save + 1e-6;
        double p = ab3(c, 64);
        c[i] = save - 1e-6;
        double m = ab3(c, 64);
        c[i] = save;
        double fd = (p - m) / 2e-6;
        if (!(fabs(d[i] - fd) < 1e-7)) {
            printf("d[%d] = %.10f, fd = %.10f\n", i, d[i], fd);
            rc = 1;
        }
    }
    return rc;
}
