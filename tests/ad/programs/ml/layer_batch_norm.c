/* Layer norm and batch norm written with macros; output arrays with seeds, a vector-Jacobian product. */
#include <math.h>
#include <stdio.h>

#define B 4
#define F 3
#define FOR(i, n) for (int i = 0; i < (n); ++i)

void __enzyme_autodiff(void *, ...);

static void normalise(const double *in, double *out, int n, int stride, const double *gain, const double *shift)
{
    double mean = 0, var = 0;
    FOR(i, n) mean += in[i * stride];
    mean /= n;
    FOR(i, n) var += (in[i * stride] - mean) * (in[i * stride] - mean);
    var /= n;
    double inv = 1.0 / sqrt(var + 1e-5);
    FOR(i, n) out[i * stride] = (in[i * stride] - mean) * inv * gain[i * stride % F] + shift[i * stride % F];
}

void block(const double *x, const double *gain, const double *shift, double *y)
{
    double tmp[B * F];
    FOR(b, B) normalise(x + b * F, tmp + b * F, F, 1, gain, shift);
    FOR(f, F) normalise(tmp + f, y + f, B, F, gain + 0, shift + 0);
}

int main(void)
{
    double x[B * F], y[B * F], gain[F] = {1.1, 0.9, 1.3}, shift[F] = {0.1, 0, -0.2};
    double dx[B * F] = {0}, dy[B * F], seed[B * F], dgain[F] = {0}, dshift[F] = {0};
    FOR(i, B * F) {
        x[i] = sin(i * i);
        seed[i] = dy[i] = cos(i);
    }
    __enzyme_autodiff((void *)block, x, dx, gain, dgain, shift, dshift, y, dy);
    FOR(i, B * F) {
        double k = x[i], up[B * F], down[B * F], fd = 0;
        x[i] = k + 1e-6;
        block(x, gain, shift, up);
        x[i] = k - 1e-6;
        block(x, gain, shift, down);
        x[i] = k;
        FOR(j, B * F) fd += seed[j] * (up[j] - down[j]) / 2e-6;
        if (!(fabs(fd - dx[i]) < 1e-6)) {
            printf("x[%d]: %g vs %g\n", i, dx[i], fd);
            return 1;
        }
        if (dy[i] != 0) {
            printf("seed %d not consumed\n", i);
            return 1;
        }
    }
    return 0;
}
