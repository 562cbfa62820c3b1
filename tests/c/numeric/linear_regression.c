// flags: -lm
// Simple and multiple regression, correlation, weighted statistics.
#include "../check.h"
#include <math.h>

typedef struct { double slope, intercept, r2; } line;
static line fit(const double *x, const double *y, int n)
{
    double sx = 0, sy = 0, sxx = 0, sxy = 0, syy = 0;
    for (int i = 0; i < n; i++) {
        sx += x[i];
        sy += y[i];
        sxx += x[i] * x[i];
        sxy += x[i] * y[i];
        syy += y[i] * y[i];
    }
    double cov = n * sxy - sx * sy, vx = n * sxx - sx * sx, vy = n * syy - sy * sy;
    return (line){cov / vx, (sy - cov / vx * sx) / n, cov * cov / (vx * vy)};
}
static int polynomial_fit(const double *x, const double *y, int n, int degree, double *c)
{
    int m = degree + 1;
    double a[m][m + 1];
    for (int i = 0; i < m; i++)
        for (int j = 0; j <= m; j++) {
            a[i][j] = 0;
            for (int k = 0; k < n; k++)
                a[i][j] += pow(x[k], i) * (j < m ? pow(x[k], j) : y[k]);
        }
    for (int k = 0; k < m; k++) {
        if (a[k][k] == 0)
            return -1;
        for (int i = k + 1; i < m; i++) {
            double f = a[i][k] / a[k][k];
            for (int j = k; j <= m; j++)
                a[i][j] -= f * a[k][j];
        }
    }
    for (int i = m - 1; i >= 0; i--) {
        c[i] = a[i][m];
        for (int j = i + 1; j < m; j++)
            c[i] -= a[i][j] * c[j];
        c[i] /= a[i][i];
    }
    return 0;
}

int main(void)
{
    double x[12], y[12], c[3];
    for (int i = 0; i < 12; i++) {
        x[i] = i * 0.5;
        y[i] = 3 * x[i] - 1 + (i % 3 - 1) * 0.1;
    }
    line l = fit(x, y, 12);
    printf("%.10f %.10f %.10f\n", l.slope, l.intercept, l.r2);
    CHECK_NEAR(l.slope, 3, 0.05);
    CHECK(l.r2 > 0.999);
    for (int i = 0; i < 12; i++)
        y[i] = 2 + x[i] * (0.5 - 0.25 * x[i]);
    CHECK(polynomial_fit(x, y, 12, 2, c) == 0);
    CHECK_NEAR(c[0], 2, 1e-10);
    CHECK_NEAR(c[1], 0.5, 1e-10);
    CHECK_NEAR(c[2], -0.25, 1e-10);
    return check_done();
}
