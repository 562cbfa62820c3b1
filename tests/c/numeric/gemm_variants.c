// Matrix products in every loop order, blocked, transposed, float.
#include "../check.h"
#include <string.h>

#define N 24
typedef double matrix[N][N];

static void ijk(const matrix a, const matrix b, matrix c)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            for (int k = 0; k < N; k++)
                c[i][j] += a[i][k] * b[k][j];
}
static void ikj(const matrix a, const matrix b, matrix c)
{
    for (int i = 0; i < N; i++)
        for (int k = 0; k < N; k++) {
            const double f = a[i][k];
            for (int j = 0; j < N; j++)
                c[i][j] += f * b[k][j];
        }
}
static void blocked(const double *a, const double *b, double *c, int n, int block)
{
    for (int ii = 0; ii < n; ii += block)
        for (int jj = 0; jj < n; jj += block)
            for (int kk = 0; kk < n; kk += block)
                for (int i = ii; i < ii + block && i < n; i++)
                    for (int j = jj; j < jj + block && j < n; j++) {
                        double s = c[i * n + j];
                        for (int k = kk; k < kk + block && k < n; k++)
                            s += a[i * n + k] * b[k * n + j];
                        c[i * n + j] = s;
                    }
}
static void walking(const double *a, const double *b, double *c)
{
    for (const double *row = a; row != a + N * N; row += N)
        for (const double *column = b; column != b + N; column++) {
            double s = 0;
            const double *p = row, *q = column;
            for (int k = N; k; k--, q += N)
                s += *p++ * *q;
            *c++ = s;
        }
}

int main(void)
{
    static matrix a, b, c1, c2, c3, c4;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            a[i][j] = (i * j) % 7 - 3;
            b[i][j] = (i + 2 * j) % 5 * 0.5;
        }
    ijk((const double(*)[N])a, (const double(*)[N])b, c1);
    ikj((const double(*)[N])a, (const double(*)[N])b, c2);
    blocked(&a[0][0], &b[0][0], &c3[0][0], N, 7);
    walking(&a[0][0], &b[0][0], &c4[0][0]);
    CHECK(!memcmp(c1, c2, sizeof c1)); // the sums are exact, so order does not matter
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            CHECK(c1[i][j] == c3[i][j] && c1[i][j] == c4[i][j]);
    float f[4][4] = {{1, 2}, {3, 4}}, g[4][4] = {{0, 1}, {1, 0}}, h[4][4] = {{0}};
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            for (int k = 0; k < 4; k++)
                h[i][j] += f[i][k] * g[k][j];
    CHECK(h[0][0] == 2 && h[1][1] == 3);
    printf("%.17g %.17g\n", c1[3][5], c1[N - 1][N - 1]);
    return check_done();
}
