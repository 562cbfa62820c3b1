// flags: -lm
// Largest singular triplets by power iteration with deflation.
#include "../check.h"
#include <math.h>
#include <string.h>

#define ROWS 6
#define COLUMNS 4
#define A(i, j) a[(i) * COLUMNS + (j)]

static double normalise(double *x, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s += x[i] * x[i];
    s = sqrt(s);
    for (int i = 0; i < n; i++)
        x[i] /= s;
    return s;
}
static double top_singular(const double *a, double *u, double *v)
{
    double sigma = 0;
    for (int j = 0; j < COLUMNS; j++)
        v[j] = 1 + j * 0.1;
    normalise(v, COLUMNS);
    for (int it = 0; it < 300; it++) {
        for (int i = 0; i < ROWS; i++) {
            u[i] = 0;
            for (int j = 0; j < COLUMNS; j++)
                u[i] += A(i, j) * v[j];
        }
        normalise(u, ROWS);
        for (int j = 0; j < COLUMNS; j++) {
            v[j] = 0;
            for (int i = 0; i < ROWS; i++)
                v[j] += A(i, j) * u[i];
        }
        sigma = normalise(v, COLUMNS);
    }
    return sigma;
}

int main(void)
{
    double a[ROWS * COLUMNS], u[ROWS], v[COLUMNS], frobenius = 0, total = 0;
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++) {
            A(i, j) = (i * i + 3 * j + i * j) % 7 - 2.5;
            frobenius += A(i, j) * A(i, j);
        }
    for (int k = 0; k < COLUMNS; k++) {
        double s = top_singular(a, u, v);
        total += s * s;
        printf("%.8f\n", s);
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j < COLUMNS; j++)
                A(i, j) -= s * u[i] * v[j];
    }
    CHECK_NEAR(total, frobenius, 1e-9);
    return check_done();
}
