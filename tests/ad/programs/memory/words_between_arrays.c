/* Numbers that are copied to arrays of integers and change places there, and that move between structs that are alike. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

enum { N = 4 };

static double places(const double *x)
{
    double t[N];
    uint64_t u[N];
    for (int i = 0; i < N; i++)
        t[i] = x[i] * (i + 1);
    memcpy(u, t, sizeof u);
    for (int i = 0; i < N / 2; i++) {
        uint64_t w = u[i];
        u[i] = u[N - 1 - i];
        u[N - 1 - i] = w;
    }
    memcpy(t, u, sizeof t);
    return t[0] * t[0] + 2 * t[1] * t[2] + 3 * t[3];
}

struct one { double x, y; };
struct two { double p[2]; };

static double alike(const double *x)
{
    struct one a = {x[0] * x[1], x[2]};
    struct two b;
    struct { double u, v; int flag; } c;
    memcpy(&b, &a, sizeof b);
    b.p[0] *= x[3];
    memcpy(&c, &b, sizeof b);
    c.flag = 2;
    return c.u * c.v * c.flag + a.x;
}

#define TEST(f) \
    for (int i = 0; i < N; i++) { \
        double x[N] = {0.5, 1.3, -0.2, 0.9}, g[N] = {0}, d[N] = {0}, y[N], z[N], h = 1e-6; \
        memcpy(y, x, sizeof x); \
        memcpy(z, x, sizeof x); \
        y[i] += h; \
        z[i] -= h; \
        d[i] = 1; \
        double want = (f(y) - f(z)) / (2 * h); \
        __enzyme_autodiff((void *)f, x, g); \
        double forward = __enzyme_fwddiff((void *)f, x, d); \
        if (!(fabs(g[i] - want) < 1e-7 && fabs(forward - g[i]) < 1e-12)) { \
            printf("%s, x[%d]: %g and %g vs %g\n", #f, i, g[i], forward, want); \
            bad = 1; \
        } \
    }

int main(void)
{
    int bad = 0;
    TEST(places)
    TEST(alike)
    return bad;
}
