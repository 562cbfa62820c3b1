// flags: -lm
// LU factorisation with partial pivoting; solve and determinant.
#include "../check.h"
#include <math.h>

#define N 6
static int factor(double a[N][N], int pivot[N])
{
    int sign = 1;
    for (int k = 0; k < N; k++) {
        int p = k;
        for (int i = k + 1; i < N; i++)
            if (fabs(a[i][k]) > fabs(a[p][k]))
                p = i;
        pivot[k] = p;
        if (a[p][k] == 0)
            return 0;
        if (p != k) {
            sign = -sign;
            for (int j = 0; j < N; j++) {
                double t = a[k][j];
                a[k][j] = a[p][j];
                a[p][j] = t;
            }
        }
        for (int i = k + 1; i < N; i++) {
            a[i][k] /= a[k][k];
            for (int j = k + 1; j < N; j++)
                a[i][j] -= a[i][k] * a[k][j];
        }
    }
    return sign;
}
static void solve(double lu[N][N], const int pivot[N], double b[N])
{
    for (int k = 0; k < N; k++) {
        double t = b[pivot[k]];
        b[pivot[k]] = b[k];
        b[k] = t;
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < i; j++)
            b[i] -= lu[i][j] * b[j];
    for (int i = N - 1; i >= 0; i--) {
        for (int j = i + 1; j < N; j++)
            b[i] -= lu[i][j] * b[j];
        b[i] /= lu[i][i];
    }
}

int main(void)
{
    double a[N][N], lu[N][N], b[N], x[N];
    int pivot[N];
    for (int i = 0; i < N; i++) {
        b[i] = i + 1;
        for (int j = 0; j < N; j++)
            lu[i][j] = a[i][j] = (i * 7 + j * 3) % 11 + (i == j ? 0.5 : 0);
    }
    int sign = factor(lu, pivot);
    CHECK(sign != 0);
    for (int i = 0; i < N; i++)
        x[i] = b[i];
    solve(lu, pivot, x);
    double det = sign, residual = 0;
    for (int i = 0; i < N; i++) {
        det *= lu[i][i];
        double r = -b[i];
        for (int j = 0; j < N; j++)
            r += a[i][j] * x[j];
        residual = fmax(residual, fabs(r));
        printf("%.12g ", x[i]);
    }
    printf("\n%.12g\n", det);
    CHECK_NEAR(residual, 0, 1e-12);
    return check_done();
}
