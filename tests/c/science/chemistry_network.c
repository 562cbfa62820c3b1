// flags: -lm
// A reaction network from X-macros: enums, names and stoichiometry tables; implicit Euler with Newton, pivoting, and retries by goto.
#include "../check.h"
#include <float.h>
#include <math.h>
#include <string.h>

#define SPECIES(X) X(A, 1.0) X(B, 0.0) X(C, 0.0) X(D, 0.2)
#define REACTIONS(X) X(A, B, 0.04) X(B, C, 30.0) X(C, A, 0.5) X(B, D, 1.0) X(D, A, 0.01)
enum species {
#define X(name, start) name,
    SPECIES(X)
#undef X
    COUNT
};
static const char *const names[] = {
#define X(name, start) [name] = #name,
    SPECIES(X)
#undef X
};
static const struct { enum species from, to; double rate; } reactions[] = {
#define X(a, b, r) {a, b, r},
    REACTIONS(X)
#undef X
};
#define EACH(i, n) for (int i = 0; i < (n); ++i)

static void rates(const double y[COUNT], double f[COUNT], double jac[COUNT][COUNT])
{
    memset(f, 0, COUNT * sizeof *f);
    memset(jac, 0, sizeof(double[COUNT][COUNT]));
    for (size_t r = 0; r < sizeof reactions / sizeof reactions[0]; r++) {
        enum species a = reactions[r].from, b = reactions[r].to;
        double k = reactions[r].rate, v = k * y[a] * (a == B ? y[a] : 1), d = k * (a == B ? 2 * y[a] : 1);
        f[a] -= v, f[b] += v;
        jac[a][a] -= d, jac[b][a] += d;
    }
}
static int solve(double m[COUNT][COUNT], double b[COUNT])
{
    EACH(k, COUNT) {
        int p = k;
        for (int i = k + 1; i < COUNT; i++)
            if (fabs(m[i][k]) > fabs(m[p][k]))
                p = i;
        if (fabs(m[p][k]) < DBL_MIN)
            return k + 1;
        if (p != k) {
            EACH(j, COUNT) {
                double t = m[k][j];
                m[k][j] = m[p][j], m[p][j] = t;
            }
            double t = b[k];
            b[k] = b[p], b[p] = t;
        }
        for (int i = k + 1; i < COUNT; i++) {
            double q = m[i][k] / m[k][k];
            if (q == 0)
                continue;
            for (int j = k; j < COUNT; j++)
                m[i][j] -= q * m[k][j];
            b[i] -= q * b[k];
        }
    }
    for (int i = COUNT - 1; i >= 0; i--) {
        for (int j = i + 1; j < COUNT; j++)
            b[i] -= m[i][j] * b[j];
        b[i] /= m[i][i];
    }
    return 0;
}
static int advance(double y[COUNT], double *h, int *retries)
{
    double next[COUNT], f[COUNT], j[COUNT][COUNT];
again:
    memcpy(next, y, sizeof next);
    for (int it = 0; it < 6; it++) {
        double norm = 0;
        rates(next, f, j);
        EACH(i, COUNT) {
            f[i] = y[i] + *h * f[i] - next[i];
            norm = fmax(norm, fabs(f[i]));
            EACH(k, COUNT)
                j[i][k] = (i == k) - *h * j[i][k];
        }
        if (norm < 1e-12)
            goto done;
        if (solve(j, f))
            break;
        EACH(i, COUNT)
            next[i] += f[i];
    }
    *h *= 0.5;
    if (++*retries > 50)
        return -1;
    goto again;
done:
    memcpy(y, next, sizeof next);
    return 0;
}
int main(void)
{
    double y[COUNT] = {
#define X(name, start) start,
        SPECIES(X)
#undef X
    };
    double t = 0, h = 1e-3;
    int retries = 0, steps = 0;
    for (; t < 40 && steps < 2000; steps++, h *= 1.2) {
        CHECK(advance(y, &h, &retries) == 0);
        t += h;
    }
    double total = 0;
    EACH(i, COUNT) {
        total += y[i];
        printf("%s %.2f\n", names[i], y[i]);
        CHECK(y[i] >= -1e-12);
    }
    CHECK_NEAR(total, 1.2, 1e-8);
    return check_done();
}
