// Explicit heat equation on a square: five-point stencil, two buffers swapped by pointer.
#include "kernel.h"
#include <string.h>

#define N 512
#define STEPS 20

static double first[N * N], second[N * N];

static double *kernel(double *u, double *next, int n, int steps, double alpha)
{
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++) {
                int k = i * n + j;
                next[k] = u[k] + alpha * (u[k - 1] + u[k + 1] + u[k - n] + u[k + n] - 4.0 * u[k]);
            }
        double *swap = u;
        u = next;
        next = swap;
    }
    return u;
}

int main(void)
{
    double seconds, sum = 0.0;
    double *result = first;
    for (int i = 0; i < N * N; i++)
        first[i] = kernel_random();
    memcpy(second, first, sizeof first);
    KERNEL_TIME(seconds, 20, result = kernel(first, second, N, STEPS, 0.2));
    for (int i = 0; i < N * N; i++)
        sum += result[i];
    kernel_report(sum, seconds);
    return 0;
}
