// flags: -lm
// Radix-2 FFT on separate real and imaginary arrays; convolution through it.
#include "../check.h"
#include <math.h>

static void fft(double *re, double *im, int n, int inverse)
{
    for (int i = 0, j = 0; i < n; i++) {
        if (i < j) {
            double t = re[i]; re[i] = re[j]; re[j] = t;
            t = im[i]; im[i] = im[j]; im[j] = t;
        }
        int m = n >> 1;
        while (m >= 1 && (j & m)) {
            j ^= m;
            m >>= 1;
        }
        j |= m;
    }
    for (int half = 1; half < n; half *= 2)
        for (int k = 0; k < half; k++) {
            double angle = (inverse ? 1 : -1) * M_PI * k / half, c = cos(angle), s = sin(angle);
            for (int i = k; i < n; i += 2 * half) {
                int j = i + half;
                double xr = re[j] * c - im[j] * s, xi = re[j] * s + im[j] * c;
                re[j] = re[i] - xr;
                im[j] = im[i] - xi;
                re[i] += xr;
                im[i] += xi;
            }
        }
    if (inverse)
        for (int i = 0; i < n; i++) {
            re[i] /= n;
            im[i] /= n;
        }
}

int main(void)
{
    enum { N = 64 };
    double ar[N] = {0}, ai[N] = {0}, br[N] = {0}, bi[N] = {0}, direct[N] = {0};
    for (int i = 0; i < 20; i++) {
        ar[i] = i % 5;
        br[i] = 3 - i % 4;
    }
    for (int i = 0; i < 20; i++)
        for (int j = 0; j < 20; j++)
            direct[i + j] += ar[i] * br[j];
    fft(ar, ai, N, 0);
    fft(br, bi, N, 0);
    printf("%.9f %.9f\n", ar[3], ai[3]);
    for (int i = 0; i < N; i++) {
        double r = ar[i] * br[i] - ai[i] * bi[i];
        ai[i] = ar[i] * bi[i] + ai[i] * br[i];
        ar[i] = r;
    }
    fft(ar, ai, N, 1);
    for (int i = 0; i < N; i++) {
        CHECK_NEAR(ar[i], direct[i], 1e-10);
        CHECK_NEAR(ai[i], 0, 1e-10);
    }
    printf("%.0f %.0f\n", ar[19], ar[38]);
    return check_done();
}
