/* Early returns from nested loops, breaks out of inner loops, continue with side effects. */
#include <math.h>
#include <stdio.h>

extern int enzyme_dup;
extern int enzyme_const;
double __enzyme_autodiff(void *, ...);

double search(const double *m, int rows, int cols, double limit)
{
    double acc = 0;
    for (int i = 0; i < rows; i++) {
        double row = 1;
        if (i == 3)
            continue;
        for (int j = 0; j < cols; j++) {
            double v = m[i * cols + j];
            if (v < -0.95)
                break;
            if (v < 0)
                continue;
            row *= 1 + v;
            if (acc + row > limit)
                return (acc + row) * v;
        }
        acc += row;
        if (i > 5 && acc < 3)
            return -acc;
    }
    return sqrt(acc);
}

int main(void)
{
    enum { R = 8, C = 5 };
    double m[R * C];
    const double limits[] = {4, 9, 15, 25, 1000};
    for (int i = 0; i < R * C; i++)
        m[i] = sin(3.1 * i + 0.1);
    for (int l = 0; l < 5; l++) {
        double g[R * C] = {0};
        __enzyme_autodiff((void *)search, enzyme_dup, m, g, enzyme_const, R, enzyme_const, C, enzyme_const, limits[l]);
        for (int i = 0; i < R * C; i++) {
            double k = m[i];
            m[i] = k + 1e-6;
            double a = search(m, R, C, limits[l]);
            m[i] = k - 1e-6;
            double b = search(m, R, C, limits[l]);
            m[i] = k;
            if (!(fabs(g[i] - (a - b) / 2e-6) < 1e-6 * (1 + fabs(g[i])))) {
                printf("limit %g, m[%d]: %g vs %g\n", limits[l], i, g[i], (a - b) / 2e-6);
                return 1;
            }
        }
    }
    return 0;
}
