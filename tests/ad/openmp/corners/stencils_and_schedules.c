// Neighbours' elements under every schedule and distance: where threads meet depends on how iterations are dealt out.
#include "../../check.h"
static double finish(const double *y, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s += y[i] * y[i] * (1 + i % 3);
    return s;
}
static double cyclic(double *x, int n)
{
    double y[64] = {0};
#pragma omp parallel for schedule(static, 1)
    for (int i = 1; i < n - 1; i++)
        y[i] = x[i - 1] * x[i + 1] + sin(x[i]);
    return finish(y, n);
}
static double chunks(double *x, int n)
{
    double y[64] = {0};
#pragma omp parallel for schedule(static, 3)
    for (int i = 2; i < n - 2; i++)
        y[i] = x[i - 2] * x[i + 2] + x[i + 1];
    return finish(y, n);
}
static double dealt(double *x, int n)
{
    double y[64] = {0};
#pragma omp parallel for schedule(dynamic, 2)
    for (int i = n - 2; i > 0; i--)
        y[i] = x[i - 1] - x[i + 1] * x[i];
    return finish(y, n);
}
static double every_second(double *x, int n)
{
    double y[64] = {0};
#pragma omp parallel for
    for (int i = 1; i < n - 2; i += 2)
        y[i] = x[i - 1] * x[i] + x[i + 1] * x[i + 2];
    return finish(y, n);
}
static double radius(const double *x, double *y, int n, int r)
{
#pragma omp parallel for
    for (int i = r; i < n - r; i++) {
        y[i] = 0;
        for (int k = -r; k <= r; k++)
            y[i] += x[i + k] * x[i] / (1 + k * k);
    }
    return finish(y + r, n - 2 * r);
}
static double radii(double *x, int n)
{
    double y[64];
    return radius(x, y, n, 1) + radius(x, y, n, 4) + radius(x, y, n, 0) + radius(x, y, n, n / 2 - 1);
}
static double rows(double *x, int n)
{
    int m = 6, lines = n / m;
    double y[64] = {0};
#pragma omp parallel for
    for (int i = 1; i < lines - 1; i++)
        for (int j = 1; j < m - 1; j++)
            y[i * m + j] = x[(i - 1) * m + j] * x[(i + 1) * m + j] + x[i * m + j - 1] * x[i * m + j + 1];
    return finish(y, n);
}
static double columns(double *x, int n)
{
    int m = 6, lines = n / m;
    double y[64] = {0};
#pragma omp parallel for collapse(2) schedule(static)
    for (int j = 1; j < m - 1; j++)
        for (int i = 1; i < lines - 1; i++)
            y[i * m + j] = x[(i - 1) * m + j] * x[(i + 1) * m + j] + x[i * m + j - 1] * x[i * m + j + 1];
    return finish(y, n);
}
static double with_corner(double *x, int n)
{
    double y[64] = {0}, z[64] = {0};
#pragma omp parallel
    {
#pragma omp for nowait
        for (int i = 1; i < n; i++)
            y[i] = x[i - 1] * x[i] * x[0];
#pragma omp for
        for (int i = 1; i < n; i++)
            z[i] = x[i] - x[i - 1] * x[n - 1];
    }
    return finish(y, n) + finish(z, n);
}
GRADIENT(cyclic)
GRADIENT(chunks)
GRADIENT(dealt)
GRADIENT(every_second)
GRADIENT(radii)
GRADIENT(rows)
GRADIENT(columns)
GRADIENT(with_corner)
int main(void)
{
    return CHECK(cyclic, 45) | CHECK(chunks, 50) | CHECK(dealt, 37) | CHECK(every_second, 40) | CHECK(radii, 26) | CHECK(rows, 48) | CHECK(columns, 48) |
           CHECK(with_corner, 30) | CHECK(cyclic, 5) | CHECK(every_second, 6) | CHECK(with_corner, 3) | CHECK(radii, 10);
}
