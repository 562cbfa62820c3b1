// flags: -lm
// Recursive and iterative FFT on complex arrays against the direct sum.
#include "../check.h"
#include <complex.h>
#include <math.h>

#define N 32
static void fft_recursive(double complex *x, int n, int stride, double complex *out)
{
    if (n == 1) {
        out[0] = x[0];
        return;
    }
    fft_recursive(x, n / 2, stride * 2, out);
    fft_recursive(x + stride, n / 2, stride * 2, out + n / 2);
    for (int k = 0; k < n / 2; k++) {
        double complex t = cexp(-2 * I * M_PI * k / n) * out[k + n / 2], e = out[k];
        out[k] = e + t;
        out[k + n / 2] = e - t;
    }
}
static void fft_in_place(double complex x[], unsigned n)
{
    for (unsigned i = 1, j = 0; i < n; i++) {
        unsigned bit = n >> 1;
        for (; j & bit; bit >>= 1)
            j ^= bit;
        j ^= bit;
        if (i < j) {
            double complex t = x[i];
            x[i] = x[j];
            x[j] = t;
        }
    }
    for (unsigned length = 2; length <= n; length <<= 1) {
        double complex root = cexp(-2 * I * M_PI / length);
        for (unsigned i = 0; i < n; i += length) {
            double complex w = 1;
            for (unsigned k = 0; k < length / 2; k++, w *= root) {
                double complex a = x[i + k], b = x[i + k + length / 2] * w;
                x[i + k] = a + b;
                x[i + k + length / 2] = a - b;
            }
        }
    }
}

int main(void)
{
    double complex x[N], a[N], b[N];
    for (int i = 0; i < N; i++)
        b[i] = x[i] = (i % 5) - 0.5 * I * (i % 3);
    fft_recursive(x, N, 1, a);
    fft_in_place(b, N);
    double worst = 0, energy = 0, energy_x = 0;
    for (int k = 0; k < N; k++) {
        double complex s = 0;
        for (int i = 0; i < N; i++)
            s += x[i] * cexp(-2 * I * M_PI * i * k / N);
        worst = fmax(worst, fmax(cabs(s - a[k]), cabs(s - b[k])));
        energy += creal(a[k] * conj(a[k]));
        energy_x += creal(x[k] * conj(x[k]));
    }
    CHECK_NEAR(worst, 0, 1e-12);
    CHECK_NEAR(energy / N, energy_x, 1e-10);
    for (int k = 1; k < N; k += 6)
        printf("%.9g %.9g\n", creal(a[k]), cimag(a[k]));
    return check_done();
}
