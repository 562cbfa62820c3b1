/* radix-2 FFT, butterflies of a stage in parallel, a loss on the spectrum */
#include "../../check.h"
#include <complex.h>
#define M 16
static void fft(double *re, double *im, int n)
{
    for (int i = 1, j = 0; i < n; i++) {
        int bit = n >> 1;
        for (; j & bit; bit >>= 1) j ^= bit;
        j |= bit;
        if (i < j) {
            double t = re[i]; re[i] = re[j]; re[j] = t;
            t = im[i]; im[i] = im[j]; im[j] = t;
        }
    }
    #pragma omp parallel
    for (int half = 1; half < n; half *= 2) {
        #pragma omp for
        for (int k = 0; k < n / 2; k++) {
            int group = k / half, inside = k % half, i = group * 2 * half + inside, j = i + half;
            double angle = -M_PI * inside / half, c = cos(angle), s = sin(angle);
            double tr = re[j] * c - im[j] * s, ti = re[j] * s + im[j] * c;
            re[j] = re[i] - tr; im[j] = im[i] - ti;
            re[i] += tr; im[i] += ti;
        }
    }
}
static double f(double *x, int n)
{
    double re[M], im[M], s = 0;
    for (int i = 0; i < M; i++) { re[i] = x[i]; im[i] = x[M + i] * x[i]; }
    (void)n;
    fft(re, im, M);
    #pragma omp parallel for reduction(+:s)
    for (int i = 0; i < M; i++) s += log(1 + re[i] * re[i] + im[i] * im[i]) * (i + 1);
    return s;
}
/* The same with complex numbers, out of place. */
static double dft(double *x, int n)
{
    double s = 0;
    #pragma omp parallel for reduction(+:s)
    for (int k = 0; k < n; k++) {
        double complex sum = 0;
        for (int i = 0; i < n; i++) sum += x[i] * cexp(-2 * M_PI * I * i * k / n);
        s += cabs(sum) * (1 + k);
    }
    return s;
}
GRADIENT(f)
GRADIENT(dft)
int main(void) { return CHECK(f, 2 * M) | CHECK(dft, 9); }
