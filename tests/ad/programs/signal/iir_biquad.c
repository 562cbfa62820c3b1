/* Cascade of biquads with state in structs (direct form II transposed), in-place on the signal. */
#include <math.h>
#include <stdio.h>

typedef struct { double b0, b1, b2, a1, a2, z1, z2; } biquad;
int enzyme_dup, enzyme_const;
void __enzyme_autodiff(void *, ...);

static inline double tick(biquad *f, double in)
{
    double out = f->b0 * in + f->z1;
    f->z1 = f->b1 * in - f->a1 * out + f->z2;
    f->z2 = f->b2 * in - f->a2 * out;
    return out;
}

double energy(const double *coef, int sections, double *signal, int n)
{
    for (int s = 0; s < sections; s++) {
        const double *c = coef + 5 * s;
        biquad f = {c[0], c[1], c[2], c[3], c[4], 0, 0};
        for (double *p = signal, *end = signal + n; p < end; p++)
            *p = tick(&f, *p);
    }
    double e = 0;
    while (n--)
        e += *signal * *signal, signal++;
    return e;
}

int main(void)
{
    enum { N = 24 };
    double c[10] = {0.3, 0.2, 0.1, -0.5, 0.2, 0.6, -0.1, 0.3, 0.4, 0.1}, dc[10] = {0}, base[N], x[N], dx[N] = {0};
    for (int i = 0; i < N; i++)
        base[i] = x[i] = sin(0.5 * i) + (i == 3);
    __enzyme_autodiff((void *)energy, enzyme_dup, c, dc, enzyme_const, 2, enzyme_dup, x, dx, enzyme_const, N);
    for (int i = 0; i < 10 + N; i++) {
        double *v = i < 10 ? c + i : base + i - 10, g = i < 10 ? dc[i] : dx[i - 10], k = *v, r[2];
        for (int s = 0; s < 2; s++) {
            double copy[N];
            *v = k + (s ? 1e-6 : -1e-6);
            for (int j = 0; j < N; j++)
                copy[j] = base[j];
            r[s] = energy(c, 2, copy, N);
        }
        *v = k;
        if (!(fabs(g - (r[1] - r[0]) / 2e-6) < 1e-6 * (1 + fabs(g)))) {
            printf("variable %d: %g vs %g\n", i, g, (r[1] - r[0]) / 2e-6);
            return 1;
        }
    }
    return 0;
}
