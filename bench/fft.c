// Fast Fourier transform, radix 2, in place, with bit reversal; scaled so that it can be repeated.
#include "kernel.h"

enum { LOG = 14, N = 1 << LOG };

static double re[N], im[N], twiddle_re[N / 2], twiddle_im[N / 2];

static void kernel(double *re, double *im, int n)
{
    for (int i = 1, j = 0; i < n; i++) {
        int bit = n >> 1;
        while (j & bit) {
            j ^= bit;
            bit >>= 1;
        }
        j |= bit;
        if (i < j) {
            double t = re[i];
            re[i] = re[j];
            re[j] = t;
            t = im[i];
            im[i] = im[j];
            im[j] = t;
        }
    }
    for (int size = 2; size <= n; size *= 2) {
        int half = size / 2, stride = n / size;
        for (int start = 0; start < n; start += size)
            for (int k = 0; k < half; k++) {
                double wr = twiddle_re[k * stride], wi = twiddle_im[k * stride];
                double xr = re[start + k + half], xi = im[start + k + half];
                double tr = wr * xr - wi * xi, ti = wr * xi + wi * xr;
                re[start + k + half] = re[start + k] - tr;
                im[start + k + half] = im[start + k] - ti;
                re[start + k] += tr;
                im[start + k] += ti;
            }
    }
    double scale = 1.0 / sqrt(n);
    for (int i = 0; i < n; i++) {
        re[i] *= scale;
        im[i] *= scale;
    }
}

int main(void)
{
    double seconds, sum = 0.0;
    for (int k = 0; k < N / 2; k++) {
        double angle = -2.0 * 3.14159265358979323846 * k / N;
        twiddle_re[k] = cos(angle);
        twiddle_im[k] = sin(angle);
    }
    for (int i = 0; i < N; i++)
        re[i] = kernel_random();
    KERNEL_TIME(seconds, 60, kernel(re, im, N));
    for (int i = 0; i < N; i++)
        sum += fabs(re[i] / (1.0 + fabs(im[i])));
    kernel_report(sum, seconds);
    return 0;
}
