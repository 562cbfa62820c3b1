/* Iterative FFT with bit reversal on split real and imaginary arrays, in place; the adjoint checked by the dot-product identity. */
#include <math.h>
#include <stdio.h>

#define PI 3.14159265358979323846
void __enzyme_autodiff(void *, ...);
void __enzyme_fwddiff(void *, ...);

static void fft(double *re, double *im, unsigned log2n)
{
    unsigned n = 1u << log2n;
    for (unsigned i = 0; i < n; i++) {
        unsigned r = 0;
        for (unsigned b = 0; b < log2n; b++)
            r |= ((i >> b) & 1u) << (log2n - 1 - b);
        if (r > i) {
            double t = re[i];
            re[i] = re[r];
            re[r] = t;
            t = im[i], im[i] = im[r], im[r] = t;
        }
    }
    for (unsigned len = 2; len <= n; len <<= 1) {
        double ang = -2 * PI / len;
        for (unsigned base = 0; base < n; base += len)
            for (unsigned k = 0; k < len / 2; k++) {
                double wr = cos(ang * k), wi = sin(ang * k);
                unsigned a = base + k, b = a + len / 2;
                double tr = wr * re[b] - wi * im[b], ti = wr * im[b] + wi * re[b];
                re[b] = re[a] - tr;
                im[b] = im[a] - ti;
                re[a] += tr;
                im[a] += ti;
            }
    }
}

int main(void)
{
    enum { L = 4, N = 16 };
    double re[N], im[N], tr[N], ti[N], ar[N], ai[N], br[N], bi[N], cr[N], ci[N];
    for (int i = 0; i < N; i++) {
        re[i] = cr[i] = cos(i);
        im[i] = ci[i] = 0.1 * i;
        tr[i] = br[i] = sin(2.0 * i);
        ti[i] = bi[i] = 1.0 / (i + 1);
        ar[i] = 0.3 * i - 1;
        ai[i] = cos(3.0 * i);
    }
    double wr[N], wi[N];
    for (int i = 0; i < N; i++) {
        wr[i] = ar[i];
        wi[i] = ai[i];
    }
    __enzyme_fwddiff((void *)fft, re, tr, im, ti, L);
    __enzyme_autodiff((void *)fft, cr, ar, ci, ai, L);
    double left = 0, right = 0;
    for (int i = 0; i < N; i++) {
        left += tr[i] * wr[i] + ti[i] * wi[i];
        right += br[i] * ar[i] + bi[i] * ai[i];
    }
    if (!(fabs(left - right) < 1e-11 * (1 + fabs(left)))) {
        printf("<Jv, w> = %.12g, <v, J'w> = %.12g\n", left, right);
        return 1;
    }
    return 0;
}
