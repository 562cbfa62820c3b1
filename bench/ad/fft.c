// size: 4096
// A fast Fourier transform of `size` (a power of two) numbers in place, and a loss over the power spectrum.
#include "gradient.h"

static double spectrum(const double *signal, double *re, double *im, int n)
{
    double loss = 0.0;
    for (int i = 0, j = 0; i < n; i++) {
        re[j] = signal[i];
        im[j] = 0.0;
        int bit = n >> 1;
        for (; bit && (j & bit); bit >>= 1)
            j ^= bit;
        j |= bit;
    }
    for (int half = 1; half < n; half *= 2)
        for (int start = 0; start < n; start += 2 * half)
            for (int k = 0; k < half; k++) {
                double angle = -3.14159265358979323846 * k / half, c = cos(angle), s = sin(angle);
                int a = start + k, b = a + half;
                double x = re[b] * c - im[b] * s, y = re[b] * s + im[b] * c;
                re[b] = re[a] - x;
                im[b] = im[a] - y;
                re[a] += x;
                im[a] += y;
            }
    for (int i = 0; i < n; i++) {
        double power = re[i] * re[i] + im[i] * im[i];
        loss += log(1.0 + power) * (1 + i % 3);
    }
    return loss;
}

static struct array signal_;
static double *re, *im, *re_bar, *im_bar;
static int n;
static void setup(int size)
{
    n = size;
    signal_ = variables((size_t)n, -1, 1);
    re = data((size_t)n, 0, 0);
    im = data((size_t)n, 0, 0);
    re_bar = data((size_t)n, 0, 0);
    im_bar = data((size_t)n, 0, 0);
}
static double objective(void) { return spectrum(signal_.x, re, im, n); }
void __enzyme_autodiff(void *, ...);
static void gradient(void)
{
    __enzyme_autodiff((void *)spectrum, enzyme_dup, signal_.x, signal_.bar, enzyme_dup, re, re_bar, enzyme_dup, im, im_bar, enzyme_const, n);
}
