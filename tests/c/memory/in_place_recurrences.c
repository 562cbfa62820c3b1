// In-place updates where order matters.
#include "../check.h"

#define N 12

static void prefix(double *a, int n) { for (int i = 1; i < n; i++) a[i] += a[i - 1]; }
static void suffix(double *a, int n) { for (int i = n - 2; i >= 0; i--) a[i] = 0.5 * a[i] + a[i + 1]; }
static void gauss_seidel(double *u, const double *f, int n, int sweeps)
{
    while (sweeps--)
        for (int i = 1; i < n - 1; i++)
            u[i] = 0.5 * (u[i - 1] + u[i + 1] + f[i]);
}
static void knapsack(int *best, int capacity, const int *w, const int *v, int n)
{
    for (int k = 0; k < n; k++)
        for (int c = capacity; c >= w[k]; c--)
            if (best[c - w[k]] + v[k] > best[c])
                best[c] = best[c - w[k]] + v[k];
}
static void horner_shift(double *c, int n, double s) // Taylor shift of a polynomial
{
    for (int i = 0; i < n - 1; i++)
        for (int j = n - 2; j >= i; j--)
            c[j] += s * c[j + 1];
}
static void self_update(double *x, int n)
{
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < n; i++)
            x[i] = x[i] * x[(i + 1) % n] - x[(i + n - 1) % n] * 0.25;
}

int main(void)
{
    double a[N], f[N], u[N] = {0};
    for (int i = 0; i < N; i++) {
        a[i] = i % 3 - 0.5;
        f[i] = 0.125 * i;
    }
    prefix(a, N);
    suffix(a, N);
    for (int i = 0; i < N; i++)
        printf("%.17g ", a[i]);
    printf("\n");
    gauss_seidel(u, f, N, 20);
    printf("%.15g %.15g\n", u[3], u[8]);
    int best[21] = {0}, w[] = {3, 4, 5, 9, 14}, v[] = {3, 4, 4, 10, 15};
    knapsack(best, 20, w, v, 5);
    CHECK(best[20] == 19);
    double c[4] = {1, 2, 3, 4}; // 1+2x+3x^2+4x^3 about x = 1
    horner_shift(c, 4, 1);
    CHECK(c[0] == 10 && c[1] == 20 && c[2] == 15 && c[3] == 4);
    double x[5] = {0.5, 0.25, 0.75, 0.125, 1};
    self_update(x, 5);
    for (int i = 0; i < 5; i++)
        printf("%.15g ", x[i]);
    printf("\n");
    return check_done();
}
