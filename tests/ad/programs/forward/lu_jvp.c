/* Forward mode through LU with pivoting against the analytic derivative of the solution. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#define N 4
int enzyme_dup;
void __enzyme_fwddiff(void *, ...);

static void solve(const double *m, const double *b, double *x)
{
    double a[N][N];
    memcpy(a, m, sizeof a);
    memcpy(x, b, N * sizeof *x);
    for (int k = 0; k < N; k++) {
        int p = k;
        for (int i = k + 1; i < N; i++)
            if (fabs(a[i][k]) > fabs(a[p][k]))
                p = i;
        if (p != k) {
            double row[N], t = x[k];
            memcpy(row, a[k], sizeof row);
            memcpy(a[k], a[p], sizeof row);
            memcpy(a[p], row, sizeof row);
            x[k] = x[p];
            x[p] = t;
        }
        for (int i = k + 1; i < N; i++) {
            double f = a[i][k] / a[k][k];
            for (int j = k; j < N; j++)
                a[i][j] -= f * a[k][j];
            x[i] -= f * x[k];
        }
    }
    for (int i = N - 1; i >= 0; i--) {
        for (int j = i + 1; j < N; j++)
            x[i] -= a[i][j] * x[j];
        x[i] /= a[i][i];
    }
}

int main(void)
{
    double a[N * N], da[N * N], b[N] = {1, -1, 2, 0.5}, db[N] = {0.3, 0, -0.2, 1}, x[N], dx[N], rhs[N], want[N];
    for (int i = 0; i < N * N; i++) {
        a[i] = sin(4.1 * i * i + 0.3);
        da[i] = cos(i);
    }
    __enzyme_fwddiff((void *)solve, enzyme_dup, a, da, enzyme_dup, b, db, enzyme_dup, x, dx);
    /* A dx = db - dA x */
    for (int i = 0; i < N; i++) {
        rhs[i] = db[i];
        for (int j = 0; j < N; j++)
            rhs[i] -= da[i * N + j] * x[j];
    }
    solve(a, rhs, want);
    for (int i = 0; i < N; i++)
        if (!(fabs(dx[i] - want[i]) < 1e-11 * (1 + fabs(want[i])))) {
            printf("dx[%d]: %g vs %g\n", i, dx[i], want[i]);
            return 1;
        }
    return 0;
}
