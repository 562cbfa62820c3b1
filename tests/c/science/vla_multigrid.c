// flags: -lm
// 2-D multigrid on VLA grids: pointers to variable arrays as parameters, recursion with a VLA per level, blocked smoothing.
#include "../check.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void smooth(int n, double (*restrict u)[n + 2], const double (*restrict f)[n + 2], double h, int sweeps)
{
    enum { BLOCK = 8 };
    while (sweeps-- > 0)
        for (int colour = 0; colour < 2; colour++)
            for (int ib = 1; ib <= n; ib += BLOCK)
                for (int jb = 1; jb <= n; jb += BLOCK)
                    for (int i = ib; i < ib + BLOCK && i <= n; i++)
                        for (int j = jb + (i + jb + colour) % 2; j < jb + BLOCK && j <= n; j += 2)
                            u[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1] + h * h * f[i][j]);
}
static double residual(int n, double u[n + 2][n + 2], const double f[n + 2][n + 2], double h, double r[n + 2][n + 2])
{
    double norm = 0;
    memset(r, 0, sizeof(double[n + 2][n + 2]));
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= n; j++) {
            r[i][j] = f[i][j] - (4 * u[i][j] - u[i - 1][j] - u[i + 1][j] - u[i][j - 1] - u[i][j + 1]) / (h * h);
            norm += r[i][j] * r[i][j];
        }
    return sqrt(norm) * h;
}
static void cycle(int n, double u[n + 2][n + 2], const double f[n + 2][n + 2], double h)
{
    if (n == 1) {
        u[1][1] = 0.25 * h * h * f[1][1];
        return;
    }
    int m = (n - 1) / 2;
    double fine[n + 2][n + 2], coarse[m + 2][m + 2], (*v)[m + 2] = calloc(m + 2, sizeof *v);
    smooth(n, u, f, h, 2);
    residual(n, u, f, h, fine);
    memset(coarse, 0, sizeof coarse);
    for (int i = 1; i <= m; i++)
        for (int j = 1; j <= m; j++) {
            double s = 0;
            for (int a = -1; a <= 1; a++)
                for (int b = -1; b <= 1; b++)
                    s += fine[2 * i + a][2 * j + b] * (2 - abs(a)) * (2 - abs(b));
            coarse[i][j] = s / 16;
        }
    cycle(m, v, (const double (*)[m + 2])coarse, 2 * h);
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= n; j++) {
            int p = i / 2, q = j / 2, odd = (i & 1) << 1 | (j & 1);
            switch (odd) {
            case 0:
                u[i][j] += v[p][q];
                break;
            case 1:
                u[i][j] += 0.5 * (v[p][q] + v[p][q + 1]);
                break;
            case 2:
                u[i][j] += 0.5 * (v[p][q] + v[p + 1][q]);
                break;
            default:
                u[i][j] += 0.25 * (v[p][q] + v[p][q + 1] + v[p + 1][q] + v[p + 1][q + 1]);
            }
        }
    smooth(n, u, f, h, 2);
    free(v);
}
int main(void)
{
    const int n = 31;
    double h = 1.0 / (n + 1), (*u)[n + 2] = calloc(n + 2, sizeof *u), (*f)[n + 2] = calloc(n + 2, sizeof *f), (*r)[n + 2] = calloc(n + 2, sizeof *r);
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= n; j++)
            f[i][j] = 2 * M_PI * M_PI * sin(M_PI * i * h) * sin(M_PI * j * h);
    double first = residual(n, u, (const double (*)[n + 2])f, h, r), last = first;
    int cycles = 0;
    do {
        cycle(n, u, (const double (*)[n + 2])f, h);
        last = residual(n, u, (const double (*)[n + 2])f, h, r);
    } while (last > 1e-9 * first && ++cycles < 30);
    CHECK(cycles < 15);
    CHECK_NEAR(u[16][16], 1, 2e-3);
    printf("%zu %d\n", sizeof *u / sizeof **u, cycles < 15);
    free(u), free(f), free(r);
    return check_done();
}
