/* Mixed precision: float storage, double accumulation, integers converted, long double inside. */
#include <math.h>
#include <stdio.h>

extern int enzyme_dup, enzyme_const;
double __enzyme_autodiff(void *, ...);

double mixed(const float *f, const double *d, const short *s, int n)
{
    double acc = 0;
    long double slow = 1.0L;
    float quick = 0.5f;
    for (int i = 0; i < n; i++) {
        quick = quick * 0.5f + f[i];
        acc += quick * d[i] + s[i] % 3;
        slow *= 1 + d[i] / (1 + (unsigned char)s[i]);
        if ((int)(4 * d[i]) % 2)
            acc -= floor(d[i]) * f[i];
    }
    return acc * (double)slow + (float)acc;
}

int main(void)
{
    float f[4] = {0.5f, -0.25f, 1.5f, 0.75f}, df[4] = {0};
    double d[4] = {1.3, 0.4, -0.6, 2.2}, dd[4] = {0};
    short s[4] = {3, -7, 11, 200};
    __enzyme_autodiff((void *)mixed, enzyme_dup, f, df, enzyme_dup, d, dd, enzyme_const, s, enzyme_const, 4);
    for (int i = 0; i < 4; i++) {
        double k = d[i], h = 1.0 / 1024;
        d[i] = k + h;
        double a = mixed(f, d, s, 4);
        d[i] = k - h;
        double b = mixed(f, d, s, 4);
        d[i] = k;
        if (!(fabs(dd[i] - (a - b) / (2 * h)) < 1e-3)) {
            printf("d[%d]: %g vs %g\n", i, dd[i], (a - b) / (2 * h));
            return 1;
        }
        float kf = f[i], hf = 1.0f / 64;
        f[i] = kf + hf;
        a = mixed(f, d, s, 4);
        f[i] = kf - hf;
        b = mixed(f, d, s, 4);
        f[i] = kf;
        if (!(fabs(df[i] - (a - b) / (2 * hf)) < 1e-3)) {
            printf("f[%d]: %g vs %g\n", i, df[i], (a - b) / (2 * hf));
            return 1;
        }
    }
    return 0;
}
