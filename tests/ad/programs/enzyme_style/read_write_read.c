/* A value read, overwritten in a called function, and read again. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define APPROX_EQ(lhs, rhs, tolerance) \
    do { \
        double l_ = (lhs), r_ = (rhs); \
        if (!(fabs(l_ - r_) <= (tolerance))) { \
            fprintf(stderr, "%s:%d: %s = %.12g, expected %.12g\n", __FILE__, __LINE__, #lhs, l_, r_); \
            abort(); \
        } \
    } while (0)

double __enzyme_autodiff(void *, ...);

static double read_twice(double *x)
{
    double first = *x;
    *x = first * first * first;
    double second = *x;
    *x = sin(second);
    return first * second + *x;
}

static double alldiv(const double *a, double *b, unsigned n)
{
    double s = 0;
    for (unsigned i = 0; i < n; i++) {
        s += a[i] / b[i];
        b[i] = s;
        s += a[i] / b[i];
        b[i] = 2;
    }
    return s;
}

static double metaloop(double *x, int outer, int inner)
{
    double r = 0;
    for (int i = 0; i <= outer; i++)
        for (int j = 0; j <= inner; j++) {
            r += *x * *x;
            *x = *x * 0.5;
        }
    return r;
}

int main(void)
{
    double x = 1.1, dx = 0;
    __enzyme_autodiff((void *)read_twice, &x, &dx);
    APPROX_EQ(dx, 4 * pow(1.1, 3) + cos(1.331) * 3 * 1.21, 1e-12);
    APPROX_EQ(x, sin(1.331), 1e-12);

    double a[3] = {1, 2, 3}, b[3] = {4, 5, 6}, b0[3] = {4, 5, 6}, da[3] = {0}, db[3] = {0};
    __enzyme_autodiff((void *)alldiv, a, da, b, db, 3u);
    for (int i = 0; i < 6; i++) {
        double r[2];
        for (int side = 0; side < 2; side++) {
            double p[3] = {1, 2, 3}, q[3];
            for (int k = 0; k < 3; k++)
                q[k] = b0[k];
            *(i < 3 ? p + i : q + i - 3) += side ? 1e-6 : -1e-6;
            r[side] = alldiv(p, q, 3);
        }
        APPROX_EQ(i < 3 ? da[i] : db[i - 3], (r[1] - r[0]) / 2e-6, 1e-7);
    }

    double y = 3, dy = 0, q = 0;
    __enzyme_autodiff((void *)metaloop, &y, &dy, 3, 2);
    for (int k = 0; k < 12; k++)
        q += pow(0.25, k);
    APPROX_EQ(dy, 2 * 3 * q, 1e-12);
    return 0;
}
