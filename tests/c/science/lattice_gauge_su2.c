// flags: -lm
// SU(2) lattice gauge toy: 4-D array by an index macro, quaternion links, plaquettes, gauge invariance under random rotations.
#include "../check.h"
#include <math.h>
#include <stdlib.h>

enum { L = 3, D = 4, SITES = L * L * L * L };
typedef union { double q[4]; struct { double w, x, y, z; }; } su2;
#define LINK(u, s, mu) ((u)[(s) * D + (mu)])

static su2 mul(su2 a, su2 b)
{
    return (su2){.w = a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, .x = a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                 .y = a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, .z = a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}
static su2 dagger(su2 a) { return (su2){.w = a.w, .x = -a.x, .y = -a.y, .z = -a.z}; }
static unsigned state = 7;
static double uniform(void)
{
    state = state * 1103515245u + 12345u;
    return (double)(state >> 8) / (1 << 24);
}
static su2 some(void)
{
    su2 r;
    double n = 0;
    do {
        n = 0;
        for (int k = 0; k < 4; k++) {
            r.q[k] = 2 * uniform() - 1;
            n += r.q[k] * r.q[k];
        }
    } while (n > 1 || n < 1e-3);
    for (int k = 0; k < 4; k++)
        r.q[k] /= sqrt(n);
    return r;
}
static int neighbour(int site, int mu)
{
    int stride = 1;
    for (int k = 0; k < mu; k++)
        stride *= L;
    int c = site / stride % L;
    return c == L - 1 ? site - (L - 1) * stride : site + stride;
}
static double plaquette(const su2 *u)
{
    double sum = 0;
    int count = 0;
    for (int s = 0; s < SITES; s++)
        for (int mu = 0; mu < D; mu++)
            for (int nu = 0; nu < mu; nu++, count++) {
                su2 a = mul(LINK(u, s, mu), LINK(u, neighbour(s, mu), nu));
                su2 b = mul(LINK(u, s, nu), LINK(u, neighbour(s, nu), mu));
                sum += mul(a, dagger(b)).w;
            }
    return sum / count;
}
static int sweep(su2 *u, double beta)
{
    int accepted = 0;
    for (int s = 0; s < SITES; s++)
        for (int mu = 0; mu < D; mu++) {
            su2 staple = {.w = 0};
            for (int nu = 0; nu < D; nu++) {
                if (nu == mu)
                    continue;
                su2 up = mul(mul(LINK(u, neighbour(s, mu), nu), dagger(LINK(u, neighbour(s, nu), mu))), dagger(LINK(u, s, nu)));
                for (int k = 0; k < 4; k++)
                    staple.q[k] += up.q[k];
            }
            su2 old = LINK(u, s, mu), new = mul(some(), old);
            double change = beta * (mul(new, staple).w - mul(old, staple).w);
            if (change >= 0 || uniform() < exp(change)) {
                LINK(u, s, mu) = new;
                accepted++;
            }
        }
    return accepted;
}
int main(void)
{
    su2 *u = malloc(SITES * D * sizeof *u);
    for (int i = 0; i < SITES * D; i++)
        u[i] = (su2){.w = 1};
    CHECK_NEAR(plaquette(u), 1, 1e-14);
    int accepted = 0;
    for (int t = 0; t < 4; t++)
        accepted += sweep(u, 2.0);
    double before = plaquette(u);
    CHECK(before < 0.95 && accepted > 0);
    for (int s = 0; s < SITES; s++) {
        su2 g = some();
        for (int mu = 0; mu < D; mu++) {
            LINK(u, s, mu) = mul(g, LINK(u, s, mu));
            int back = s;
            for (int k = 1; k < L; k++)
                back = neighbour(back, mu);
            LINK(u, back, mu) = mul(LINK(u, back, mu), dagger(g));
        }
    }
    CHECK_NEAR(plaquette(u), before, 1e-12);
    free(u);
    return check_done();
}
