// flags: -lm
// In-place radix-2 FFT in float with bit reversal, strided real transforms, a window and overlap-add convolution.
#include "../check.h"
#include <complex.h>
#include <math.h>
#include <string.h>

static unsigned reverse(unsigned x, int bits)
{
    x = (x & 0x55555555u) << 1 | (x >> 1 & 0x55555555u);
    x = (x & 0x33333333u) << 2 | (x >> 2 & 0x33333333u);
    x = (x & 0x0f0f0f0fu) << 4 | (x >> 4 & 0x0f0f0f0fu);
    x = (x & 0x00ff00ffu) << 8 | (x >> 8 & 0x00ff00ffu);
    return (x << 16 | x >> 16) >> (32 - bits);
}
static void fft(float complex *a, int bits, int sign)
{
    unsigned n = 1u << bits;
    for (unsigned i = 0; i < n; i++) {
        unsigned j = reverse(i, bits);
        if (i < j) {
            float complex t = a[i];
            a[i] = a[j];
            a[j] = t;
        }
    }
    for (unsigned half = 1; half < n; half <<= 1) {
        for (unsigned k = 0; k < half; k++) {
            float complex w = cexpf(sign * I * (float)M_PI * (float)k / (float)half);
            for (unsigned i = k; i < n; i += 2 * half) {
                float complex t = w * a[i + half];
                a[i + half] = a[i] - t;
                a[i] += t;
            }
        }
    }
}
static void convolve(const float *x, int nx, const float *h, int nh, float *restrict y)
{
    enum { BITS = 5, N = 1 << BITS };
    float complex H[N] = {0}, X[N];
    for (int i = 0; i < nh; i++)
        H[i] = h[i];
    fft(H, BITS, -1);
    memset(y, 0, (nx + nh - 1) * sizeof *y);
    const int step = N - nh + 1;
    for (int at = 0; at < nx; at += step) {
        int count = nx - at < step ? nx - at : step;
        for (int i = 0; i < N; i++)
            X[i] = i < count ? x[at + i] : 0;
        fft(X, BITS, -1);
        for (int i = 0; i < N; i++)
            X[i] *= H[i] / (float)N;
        fft(X, BITS, +1);
        for (int i = 0; i < count + nh - 1; i++)
            y[at + i] += crealf(X[i]);
    }
}
int main(void)
{
    enum { NX = 100, NH = 7 };
    float x[NX], h[NH], y[NX + NH - 1];
    for (int i = 0; i < NX; i++)
        x[i] = (float)(i * i % 17) - 8;
    for (int i = 0; i < NH; i++)
        h[i] = 0.5f - 0.5f * cosf(2 * (float)M_PI * (float)(i + 1) / (NH + 1));
    convolve(x, NX, h, NH, y);
    for (int i = 0; i < NX + NH - 1; i++) {
        double s = 0;
        for (int k = 0; k < NH; k++)
            if (i - k >= 0 && i - k < NX)
                s += (double)h[k] * x[i - k];
        CHECK_NEAR(y[i], s, 1e-4);
    }
    float complex a[8] = {0};
    a[1] = 1;
    fft(a, 3, -1);
    CHECK_NEAR(cimagf(a[2]), -1, 1e-6);
    CHECK(reverse(6, 3) == 3 && reverse(1, 5) == 16);
    printf("%d taps\n", NH);
    return check_done();
}
