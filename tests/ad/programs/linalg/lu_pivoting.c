/* LU with partial pivoting in place (row swaps by the data), log |det| and a solve. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#define N 5
int enzyme_dup;
double __enzyme_autodiff(void *, ...);

static int lu(double a[N][N], int perm[N])
{
    int sign = 1;
    for (int k = 0; k < N; k++)
        perm[k] = k;
    for (int k = 0; k < N; k++) {
        int p = k;
        for (int i = k + 1; i < N; i++)
            if (fabs(a[i][k]) > fabs(a[p][k]))
                p = i;
        if (p != k) {
            for (int j = 0; j < N; j++) {
                double t = a[k][j];
                a[k][j] = a[p][j];
                a[p][j] = t;
            }
            int t = perm[k];
            perm[k] = perm[p];
            perm[p] = t;
            sign = -sign;
        }
        for (int i = k + 1; i < N; i++) {
            a[i][k] /= a[k][k];
            for (int j = k + 1; j < N; j++)
                a[i][j] -= a[i][k] * a[k][j];
        }
    }
    return sign;
}

double objective(const double *m, const double *b)
{
    double a[N][N], x[N];
    int perm[N];
    memcpy(a, m, sizeof a);
    lu(a, perm);
    for (int i = 0; i < N; i++) {
        x[i] = b[perm[i]];
        for (int j = 0; j < i; j++)
            x[i] -= a[i][j] * x[j];
    }
    for (int i = N - 1; i >= 0; i--) {
        for (int j = i + 1; j < N; j++)
            x[i] -= a[i][j] * x[j];
        x[i] /= a[i][i];
    }
    double r = 0;
    for (int i = 0; i < N; i++)
        r += log(fabs(a[i][i])) + x[i] * x[i];
    return r;
}

int main(void)
{
    double m[N * N], dm[N * N] = {0}, b[N] = {1, -2, 0.5, 3, 1}, db[N] = {0};
    for (int i = 0; i < N * N; i++)
        m[i] = sin(3.7 * i + 1) + (i % 6 == 0 ? 0.3 : 0);
    __enzyme_autodiff((void *)objective, enzyme_dup, m, dm, enzyme_dup, b, db);
    for (int i = 0; i < N * N + N; i++) {
        double *v = i < N * N ? m + i : b + i - N * N, g = i < N * N ? dm[i] : db[i - N * N], k = *v;
        *v = k + 1e-7;
        double p = objective(m, b);
        *v = k - 1e-7;
        double q = objective(m, b);
        *v = k;
        double fd = (p - q) / 2e-7;
        if (!(fabs(fd - g) < 1e-5 * (1 + fabs(fd)))) {
            printf("variable %d: %.8g vs %.8g\n", i, g, fd);
            return 1;
        }
    }
    return 0;
}
