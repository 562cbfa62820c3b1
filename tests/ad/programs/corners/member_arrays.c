/* A struct with an array of doubles and a float behind it: an index into the array does not reach the float. */
#include <math.h>
#include <stdio.h>

double __enzyme_autodiff(void *, ...);

typedef struct { double a[3]; int k; float w; } pack;

static double mixed(const double *x, int n)
{
    pack p = {{x[0], x[1], x[2]}, 0, 1.5f};
    double s = 0;
    for (int i = 0; i < n; i++) {
        pack r = p;
        r.a[i % 3] += x[i];
        r.k = i;
        s += r.a[0] * r.a[1] * r.a[2] * r.w;
    }
    return s;
}

int main(void)
{
    double x[8], bar[8] = {0};
    int bad = 0;
    for (int i = 0; i < 8; i++)
        x[i] = 0.7 + 0.1 * i;
    __enzyme_autodiff((void *)mixed, x, bar, 8);
    for (int i = 0; i < 8; i++) {
        double at = x[i], h = 1e-5;
        x[i] = at + h;
        double high = mixed(x, 8);
        x[i] = at - h;
        double low = mixed(x, 8);
        x[i] = at;
        double numeric = (high - low) / (2 * h);
        if (!(fabs(bar[i] - numeric) <= 1e-7 * (1 + fabs(numeric)))) {
            printf("component %d: %.12g, not %.12g\n", i, bar[i], numeric);
            bad = 1;
        }
    }
    return bad;
}
