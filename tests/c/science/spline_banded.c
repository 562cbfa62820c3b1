// flags: -lm
// Least-squares B-spline fit: de Boor recursion in small VLAs, a packed banded Cholesky through an index macro, size_t loops that count down.
#include "../check.h"
#include <math.h>
#include <stdlib.h>

enum { DEGREE = 3, BAND = DEGREE + 1 };
#define A(i, j) a[(i) * BAND + ((i) - (j))]
struct spline { size_t n; double *knots, *c; };

static size_t span(const struct spline *s, double x)
{
    size_t lo = DEGREE, hi = s->n;
    while (hi - lo > 1) {
        size_t mid = lo + (hi - lo) / 2;
        if (x < s->knots[mid])
            hi = mid;
        else
            lo = mid;
    }
    return lo;
}
static void basis(const struct spline *s, size_t at, double x, double out[static BAND])
{
    double left[BAND], right[BAND];
    out[0] = 1;
    for (int j = 1; j <= DEGREE; j++) {
        left[j] = x - s->knots[at + 1 - j];
        right[j] = s->knots[at + j] - x;
        double saved = 0;
        for (int r = 0; r < j; r++) {
            double t = out[r] / (right[r + 1] + left[j - r]);
            out[r] = saved + right[r + 1] * t;
            saved = left[j - r] * t;
        }
        out[j] = saved;
    }
}
static int fit(struct spline *s, size_t m, const double x[m], const double y[m])
{
    double *a = calloc(s->n * BAND, sizeof *a);
    int status = -1;
    if (!a)
        goto out;
    for (size_t i = 0; i < s->n; i++)
        s->c[i] = 0;
    for (size_t k = 0; k < m; k++) {
        double b[BAND];
        size_t at = span(s, x[k]);
        basis(s, at, x[k], b);
        for (int i = 0; i < BAND; i++) {
            size_t row = at - DEGREE + i;
            s->c[row] += b[i] * y[k];
            for (int j = 0; j <= i; j++)
                A(row, at - DEGREE + j) += b[i] * b[j];
        }
    }
    for (size_t i = 0; i < s->n; i++)
        for (size_t j = i < DEGREE ? 0 : i - DEGREE; j <= i; j++) {
            double t = A(i, j);
            for (size_t k = i < DEGREE ? 0 : i - DEGREE; k < j; k++)
                if (j - k < BAND)
                    t -= A(i, k) * A(j, k);
            if (i == j) {
                if (t <= 0)
                    goto out;
                A(i, i) = sqrt(t);
            } else
                A(i, j) = t / A(j, j);
        }
    for (size_t i = 0; i < s->n; s->c[i] /= A(i, i), i++)
        for (size_t j = i < DEGREE ? 0 : i - DEGREE; j < i; j++)
            s->c[i] -= A(i, j) * s->c[j];
    for (size_t i = s->n; i-- != 0; s->c[i] /= A(i, i))
        for (size_t j = i + 1; j < s->n && j <= i + DEGREE; j++)
            s->c[i] -= A(j, i) * s->c[j];
    status = 0;
out:
    free(a);
    return status;
}
static double value(const struct spline *s, double x)
{
    double b[BAND], v = 0;
    size_t at = span(s, x);
    basis(s, at, x, b);
    for (int i = BAND; i--;)
        v += b[i] * s->c[at - DEGREE + i];
    return v;
}
int main(void)
{
    enum { N = 14, M = 80 };
    double knots[N + BAND], c[N], x[M], y[M];
    for (int i = 0; i < N + BAND; i++)
        knots[i] = i <= DEGREE ? 0 : i >= N ? 1 : (double)(i - DEGREE) / (N - DEGREE);
    struct spline s = {N, knots, c};
    for (int k = 0; k < M; k++) {
        x[k] = (k + 0.5) / M;
        y[k] = sin(7 * x[k]) + x[k] * x[k];
    }
    CHECK(fit(&s, M, x, y) == 0);
    double worst = 0;
    for (int k = 0; k < M; k++)
        worst = fmax(worst, fabs(value(&s, x[k]) - y[k]));
    CHECK(worst < 2e-3);
    CHECK(fit(&s, 2, x, y) == -1);
    printf("%.0e\n", pow(10, ceil(log10(worst))));
    return check_done();
}
