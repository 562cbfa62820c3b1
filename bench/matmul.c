// Dense matrix product, i-k-j order.
#include "kernel.h"

enum { N = 256 };

static double a[N][N], b[N][N], c[N][N];

static void kernel(int n, double a[restrict n][n], double b[restrict n][n], double c[restrict n][n])
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            c[i][j] = 0.0;
        for (int k = 0; k < n; k++) {
            double aik = a[i][k];
            for (int j = 0; j < n; j++)
                c[i][j] += aik * b[k][j];
        }
    }
}

int main(void)
{
    double seconds, sum = 0.0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            a[i][j] = kernel_random();
            b[i][j] = kernel_random();
        }
    KERNEL_TIME(seconds, 40, kernel(N, a, b, c));
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            sum += c[i][j];
    kernel_report(sum, seconds);
    return 0;
}
