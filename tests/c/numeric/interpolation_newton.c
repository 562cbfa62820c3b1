// Divided differences, Lagrange, Neville, and bilinear lookup.
#include "../check.h"

static void divided(const double *x, double *c, int n)
{
    for (int k = 1; k < n; k++)
        for (int i = n - 1; i >= k; i--)
            c[i] = (c[i] - c[i - 1]) / (x[i] - x[i - k]);
}
static double newton(const double *x, const double *c, int n, double t)
{
    double r = c[n - 1];
    for (int i = n - 2; i >= 0; i--)
        r = r * (t - x[i]) + c[i];
    return r;
}
static double lagrange(const double *x, const double *y, int n, double t)
{
    double s = 0;
    for (int i = 0; i < n; i++) {
        double l = y[i];
        for (int j = 0; j < n; j++)
            if (j != i)
                l *= (t - x[j]) / (x[i] - x[j]);
        s += l;
    }
    return s;
}
static double neville(const double *x, const double *y, int n, double t)
{
    double p[n];
    for (int i = 0; i < n; i++)
        p[i] = y[i];
    for (int k = 1; k < n; k++)
        for (int i = 0; i < n - k; i++)
            p[i] = ((t - x[i + k]) * p[i] + (x[i] - t) * p[i + 1]) / (x[i] - x[i + k]);
    return p[0];
}
static float bilinear(const float *table, int w, int h, float x, float y)
{
    int i = (int)x, j = (int)y;
    if (i > w - 2) i = w - 2;
    if (j > h - 2) j = h - 2;
    float fx = x - (float)i, fy = y - (float)j;
    const float *p = table + j * w + i;
    return (1 - fy) * ((1 - fx) * p[0] + fx * p[1]) + fy * ((1 - fx) * p[w] + fx * p[w + 1]);
}

int main(void)
{
    double x[5] = {-2, -1, 0.5, 1, 3}, y[5], c[5];
    for (int i = 0; i < 5; i++)
        c[i] = y[i] = ((x[i] - 1) * x[i] + 2) * x[i] * x[i] - 3;
    divided(x, c, 5);
    for (double t = -2; t < 3; t += 0.375) {
        double exact = ((t - 1) * t + 2) * t * t - 3;
        CHECK_NEAR(newton(x, c, 5, t), exact, 1e-12);
        CHECK_NEAR(lagrange(x, y, 5, t), exact, 1e-12);
        CHECK_NEAR(neville(x, y, 5, t), exact, 1e-12);
    }
    float table[12];
    for (int i = 0; i < 12; i++)
        table[i] = (float)(i % 4) * 2 + (float)(i / 4) * 10;
    CHECK(bilinear(table, 4, 3, 1.5f, 0.5f) == 8.0f && bilinear(table, 4, 3, 3, 2) == 26.0f);
    printf("%.12g %.12g\n", newton(x, c, 5, 0.3), c[4]);
    return check_done();
}
