/* Recursive radix-2 FFT on C99 complex numbers with temporaries on the heap; power in one band. */
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

extern int enzyme_const, enzyme_dup;
double __enzyme_autodiff(void *, ...);

static void fft(double complex *x, int n)
{
    if (n <= 1)
        return;
    double complex *even = malloc(n / 2 * sizeof *even), *odd = malloc(n / 2 * sizeof *odd);
    for (int i = 0; i < n / 2; i++) {
        even[i] = x[2 * i];
        odd[i] = x[2 * i + 1];
    }
    fft(even, n / 2);
    fft(odd, n / 2);
    for (int k = 0; k < n / 2; k++) {
        double complex t = cexp(-2 * I * M_PI * k / n) * odd[k];
        x[k] = even[k] + t;
        x[k + n / 2] = even[k] - t;
    }
    free(even);
    free(odd);
}

double band_power(const double *signal, int n)
{
    double complex *z = malloc(n * sizeof *z);
    for (int i = 0; i < n; i++)
        z[i] = signal[i];
    fft(z, n);
    double p = 0;
    for (int k = 1; k < n / 4; k++)
        p += creal(z[k]) * creal(z[k]) + cimag(z[k]) * cimag(z[k]);
    free(z);
    return p;
}

int main(void)
{
    double s[16], d[16] = {0};
    for (int i = 0; i < 16; i++)
        s[i] = sin(0.8 * i) + 0.2 * i;
    __enzyme_autodiff((void *)band_power, enzyme_dup, s, d, enzyme_const, 16);
    double dot = 0;
    for (int i = 0; i < 16; i++) {
        double k = s[i];
        s[i] = k + 1e-4;
        double p = band_power(s, 16);
        s[i] = k - 1e-4;
        double m = band_power(s, 16);
        s[i] = k;
        dot += d[i] * s[i];
        if (!(fabs(d[i] - (p - m) / 2e-4) < 1e-6 * (1 + fabs(d[i])))) {
            printf("s[%d]: %.9g vs %.9g\n", i, d[i], (p - m) / 2e-4);
            return 1;
        }
    }
    if (!(fabs(dot - 2 * band_power(s, 16)) < 1e-8 * dot)) {
        printf("not quadratic: %g\n", dot);
        return 1;
    }
    return 0;
}
