// flags: -lm
// Cyclic Jacobi eigenvalues of a symmetric matrix.
#include "../check.h"
#include <math.h>

#define N 5
static int jacobi(double a[N][N], double v[N][N])
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            v[i][j] = i == j;
    for (int sweep = 1; sweep <= 50; sweep++) {
        double off = 0;
        for (int p = 0; p < N - 1; p++)
            for (int q = p + 1; q < N; q++)
                off += a[p][q] * a[p][q];
        if (off < 1e-24)
            return sweep;
        for (int p = 0; p < N - 1; p++)
            for (int q = p + 1; q < N; q++) {
                if (fabs(a[p][q]) < 1e-300)
                    continue;
                double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
                double t = (theta >= 0 ? 1 : -1) / (fabs(theta) + sqrt(theta * theta + 1));
                double c = 1 / sqrt(t * t + 1), s = t * c;
                for (int k = 0; k < N; k++) {
                    double x = a[k][p], y = a[k][q];
                    a[k][p] = c * x - s * y;
                    a[k][q] = s * x + c * y;
                }
                for (int k = 0; k < N; k++) {
                    double x = a[p][k], y = a[q][k];
                    a[p][k] = c * x - s * y;
                    a[q][k] = s * x + c * y;
                    x = v[k][p], y = v[k][q];
                    v[k][p] = c * x - s * y;
                    v[k][q] = s * x + c * y;
                }
            }
    }
    return -1;
}

int main(void)
{
    double a[N][N], b[N][N], v[N][N], trace = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            a[i][j] = b[i][j] = 1.0 / (i + j + 1);
    for (int i = 0; i < N; i++)
        trace += a[i][i];
    CHECK(jacobi(a, v) > 0);
    double sum = 0, worst = 0;
    for (int k = 0; k < N; k++) {
        sum += a[k][k];
        for (int i = 0; i < N; i++) {
            double r = -a[k][k] * v[i][k];
            for (int j = 0; j < N; j++)
                r += b[i][j] * v[j][k];
            worst = fmax(worst, fabs(r));
        }
    }
    CHECK_NEAR(sum, trace, 1e-13);
    CHECK_NEAR(worst, 0, 1e-10);
    double largest = 0;
    for (int k = 0; k < N; k++)
        largest = fmax(largest, a[k][k]);
    printf("%.10g\n", largest);
    return check_done();
}
