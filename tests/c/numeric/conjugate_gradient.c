// flags: -lm
// Conjugate gradient on a sparse CSR matrix.
#include "../check.h"
#include <math.h>
#include <stdlib.h>

typedef struct { int n; int *start, *column; double *value; } csr;

static csr laplacian(int m)
{
    int n = m * m, at = 0;
    csr a = {n, malloc(((size_t)n + 1) * sizeof(int)), malloc((size_t)n * 5 * sizeof(int)), malloc((size_t)n * 5 * sizeof(double))};
    if (!a.start || !a.column || !a.value)
        exit(9);
    for (int i = 0; i < n; i++) {
        a.start[i] = at;
        int x = i % m, y = i / m;
#define PUT(c, v) (a.column[at] = (c), a.value[at++] = (v))
        if (y > 0) PUT(i - m, -1);
        if (x > 0) PUT(i - 1, -1);
        PUT(i, 4.1);
        if (x < m - 1) PUT(i + 1, -1);
        if (y < m - 1) PUT(i + m, -1);
    }
    a.start[n] = at;
    return a;
}
static void multiply(const csr *a, const double *x, double *y)
{
    for (int i = 0; i < a->n; i++) {
        double s = 0;
        for (int k = a->start[i]; k < a->start[i + 1]; k++)
            s += a->value[k] * x[a->column[k]];
        y[i] = s;
    }
}
static double dot(const double *x, const double *y, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s += x[i] * y[i];
    return s;
}
static int solve(const csr *a, const double *b, double *x, double tolerance)
{
    int n = a->n, it = 0;
    double r[n], p[n], q[n];
    for (int i = 0; i < n; i++) {
        x[i] = 0;
        r[i] = p[i] = b[i];
    }
    double rr = dot(r, r, n);
    while (rr > tolerance * tolerance && it < 1000) {
        multiply(a, p, q);
        double alpha = rr / dot(p, q, n);
        for (int i = 0; i < n; i++) {
            x[i] += alpha * p[i];
            r[i] -= alpha * q[i];
        }
        double next = dot(r, r, n), beta = next / rr;
        rr = next;
        for (int i = 0; i < n; i++)
            p[i] = r[i] + beta * p[i];
        it++;
    }
    return it;
}

int main(void)
{
    csr a = laplacian(10);
    double b[100], x[100], y[100], worst = 0;
    for (int i = 0; i < 100; i++)
        b[i] = i % 7 - 3;
    int it = solve(&a, b, x, 1e-10);
    multiply(&a, x, y);
    for (int i = 0; i < 100; i++)
        worst = fmax(worst, fabs(y[i] - b[i]));
    CHECK(it < 60);
    CHECK_NEAR(worst, 0, 1e-9);
    printf("%d %.8f %.8f\n", it, x[0], x[57]);
    free(a.start);
    free(a.column);
    free(a.value);
    return check_done();
}
