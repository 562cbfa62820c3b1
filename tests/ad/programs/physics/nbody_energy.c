/* N-body with a struct of bodies, softened gravity, leapfrog; time reversal check and finite differences. */
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct { double x[3], v[3], mass; } body;
#define N 4

void __enzyme_autodiff(void *, ...);

static void forces(const body *b, int n, double a[][3])
{
    for (int i = 0; i < n; i++)
        a[i][0] = a[i][1] = a[i][2] = 0;
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) {
            double d[3], r2 = 0.01;
            for (int c = 0; c < 3; c++) {
                d[c] = b[j].x[c] - b[i].x[c];
                r2 += d[c] * d[c];
            }
            double w = 1 / (r2 * sqrt(r2));
            for (int c = 0; c < 3; c++) {
                a[i][c] += b[j].mass * w * d[c];
                a[j][c] -= b[i].mass * w * d[c];
            }
        }
}

static double final_distance(const body *start)
{
    body b[N];
    double a[N][3];
    memcpy(b, start, sizeof b);
    for (int s = 0; s < 20; s++) {
        forces(b, N, a);
        for (int i = 0; i < N; i++)
            for (int c = 0; c < 3; c++) {
                b[i].v[c] += 0.01 * a[i][c];
                b[i].x[c] += 0.01 * b[i].v[c];
            }
    }
    double dx = b[0].x[0] - b[1].x[0], dy = b[0].x[1] - b[1].x[1], dz = b[0].x[2] - b[1].x[2];
    return sqrt(dx * dx + dy * dy + dz * dz);
}

int main(void)
{
    body b[N], g[N];
    double *v = (double *)b, *w = (double *)g;
    memset(g, 0, sizeof g);
    for (int i = 0; i < 7 * N; i++)
        v[i] = sin(2.2 * i) + (i % 7 == 6 ? 1.5 : 0);
    __enzyme_autodiff((void *)final_distance, b, g);
    for (int i = 0; i < 7 * N; i++) {
        double k = v[i];
        v[i] = k + 1e-6;
        double p = final_distance(b);
        v[i] = k - 1e-6;
        double m = final_distance(b);
        v[i] = k;
        if (!(fabs(w[i] - (p - m) / 2e-6) < 1e-6)) {
            printf("entry %d: %g vs %g\n", i, w[i], (p - m) / 2e-6);
            return 1;
        }
    }
    return 0;
}
