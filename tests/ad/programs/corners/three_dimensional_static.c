/* Three-dimensional static and local arrays, typedef'd arrays, parameters as arrays of arrays, partial rows passed on. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#define A 3
#define B 4
#define C 2
typedef double plane[B][C];
static double weights[A][B][C];
extern int enzyme_dup;
void __enzyme_autodiff(void *, ...);

static double row_sum(const double row[C]) { return row[0] - 2 * row[1]; }
static double plane_norm(plane p)
{
    double s = 0;
    for (int b = 0; b < B; b++)
        s += row_sum(p[b]) * row_sum(p[(b + 1) % B]);
    return s;
}

double volume(const double x[A][B][C])
{
    plane work[A];
    memset(work, 0, sizeof work);
    for (int a = 0; a < A; a++)
        for (int b = 0; b < B; b++)
            for (int c = 0; c < C; c++)
                work[(a + b) % A][b][c] += weights[a][b][c] * x[a][b][c] * x[a][(b + 1) % B][c];
    double s = 0;
    for (int a = A; a--;)
        s += plane_norm(work[a]) * (a + 1);
    return s;
}

int main(void)
{
    static double x[A][B][C], g[A][B][C];
    double *px = &x[0][0][0], *pg = &g[0][0][0], *pw = &weights[0][0][0];
    for (int i = 0; i < A * B * C; i++) {
        px[i] = sin(i + 1);
        pw[i] = cos(2 * i);
    }
    __enzyme_autodiff((void *)volume, enzyme_dup, x, g);
    for (int i = 0; i < A * B * C; i++) {
        double k = px[i];
        px[i] = k + 1e-6;
        double a = volume(x);
        px[i] = k - 1e-6;
        double b = volume(x);
        px[i] = k;
        if (!(fabs(pg[i] - (a - b) / 2e-6) < 1e-7)) {
            printf("x[%d]: %g vs %g\n", i, pg[i], (a - b) / 2e-6);
            return 1;
        }
    }
    return 0;
}
