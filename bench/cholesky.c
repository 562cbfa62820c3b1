// Cholesky factorisation of a symmetric positive definite matrix, in place, with an early exit.
#include "kernel.h"
#include <string.h>

enum { N = 300 };

static double original[N * N], factor[N * N];

static int kernel(double *a, int n)
{
    for (int j = 0; j < n; j++) {
        double diagonal = a[j * n + j];
        for (int k = 0; k < j; k++)
            diagonal -= a[j * n + k] * a[j * n + k];
        if (diagonal <= 0.0)
            return j + 1;
        diagonal = sqrt(diagonal);
        a[j * n + j] = diagonal;
        for (int i = j + 1; i < n; i++) {
            double sum = a[i * n + j];
            for (int k = 0; k < j; k++)
                sum -= a[i * n + k] * a[j * n + k];
            a[i * n + j] = sum / diagonal;
        }
    }
    return 0;
}

int main(void)
{
    double seconds, sum = 0.0;
    int failed = 0;
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < i; j++)
            original[i * N + j] = original[j * N + i] = kernel_random() - 0.5;
        original[i * N + i] = N;
    }
    KERNEL_TIME(seconds, 30, (memcpy(factor, original, sizeof factor), failed |= kernel(factor, N)));
    for (int i = 0; i < N; i++)
        for (int j = 0; j <= i; j++)
            sum += factor[i * N + j];
    kernel_report(failed ? -1.0 : sum, seconds);
    return 0;
}
