// Explicit 2-D heat equation with index macros and two buffers.
#include "../check.h"
#include <stdlib.h>

#define NX 24
#define NY 18
#define AT(u, i, j) ((u)[(j) * NX + (i)])

static void step(const double *restrict u, double *restrict v, double r)
{
    for (int j = 1; j < NY - 1; j++)
        for (int i = 1; i < NX - 1; i++)
            AT(v, i, j) = AT(u, i, j) + r * (AT(u, i + 1, j) + AT(u, i - 1, j) + AT(u, i, j + 1) + AT(u, i, j - 1) - 4 * AT(u, i, j));
}

int main(void)
{
    double *u = calloc(NX * NY, sizeof *u), *v = calloc(NX * NY, sizeof *v);
    if (!u || !v)
        return 9;
    for (int i = 0; i < NX; i++)
        AT(u, i, 0) = AT(v, i, 0) = 1;
    AT(u, NX / 2, NY / 2) = 8;
    for (int t = 0; t < 100; t++) {
        step(u, v, 0.125);
        double *w = u;
        u = v;
        v = w;
    }
    double total = 0;
    for (int k = 0; k < NX * NY; k++)
        total += u[k];
    for (int i = 0; i < NX; i++)
        for (int j = 0; j < NY; j++)
            CHECK(AT(u, i, j) >= 0 && AT(u, i, j) <= 8);
    printf("%.14g %.14g\n", total, AT(u, 5, 3));
    free(u);
    free(v);
    return check_done();
}
