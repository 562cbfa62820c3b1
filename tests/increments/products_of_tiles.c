// grad: logdet
// no: omp task
// no: omp atomic
#include <math.h>
#include <stdlib.h>

/* Tiles of a Cholesky factorisation: the reverse of a product of tiles is nothing but additions to what other tasks add to as well. */
enum { B = 16 };

static void factor(double *a, int ld)
{
    for (int k = 0; k < B; k++) {
        a[k * ld + k] = sqrt(a[k * ld + k]);
        for (int i = k + 1; i < B; i++)
            a[i * ld + k] /= a[k * ld + k];
        for (int j = k + 1; j < B; j++)
            for (int i = j; i < B; i++)
                a[i * ld + j] -= a[i * ld + k] * a[j * ld + k];
    }
}

static void solve(const double *l, double *b, int ld)
{
    for (int r = 0; r < B; r++)
        for (int k = 0; k < B; k++) {
            double s = b[r * ld + k];
            for (int p = 0; p < k; p++)
                s -= b[r * ld + p] * l[k * ld + p];
            b[r * ld + k] = s / l[k * ld + k];
        }
}

static void update(const double *a, const double *b, double *c, int ld)
{
    for (int i = 0; i < B; i++)
        for (int j = 0; j < B; j++) {
            double s = 0.0;
            for (int k = 0; k < B; k++)
                s += a[i * ld + k] * b[j * ld + k];
            c[i * ld + j] -= s;
        }
}

double logdet(double *a, int tiles)
{
    int n = tiles * B;
#pragma omp parallel
#pragma omp single
    for (int k = 0; k < tiles; k++) {
        factor(&a[k * B * n + k * B], n);
        for (int i = k + 1; i < tiles; i++) {
#pragma omp task
            solve(&a[k * B * n + k * B], &a[i * B * n + k * B], n);
        }
#pragma omp taskwait
        for (int i = k + 1; i < tiles; i++)
            for (int j = k + 1; j <= i; j++) {
#pragma omp task
                update(&a[i * B * n + k * B], &a[j * B * n + k * B], &a[i * B * n + j * B], n);
            }
#pragma omp taskwait
    }
    double s = 0.0;
    for (int k = 0; k < n; k++)
        s += log(a[k * n + k]);
    return s;
}
