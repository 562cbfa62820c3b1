// flags: -lm
// Ewald sum of a rock-salt cell: the Madelung constant does not depend on the splitting parameter.
#include "../check.h"
#include <complex.h>
#include <math.h>

struct ion { double r[3]; signed char q; };
static double dot(const double a[static 3], const double b[static 3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static double ewald(int n, const struct ion ions[n], double box, double alpha, int cut)
{
    double real = 0, reciprocal = 0, self = 0;
    for (int i = 0; i < n; i++) {
        self -= alpha / sqrt(M_PI) * ions[i].q * ions[i].q;
        for (int j = 0; j < n; j++)
            for (int c = 0, side = 2 * cut + 1; c < side * side * side; c++) {
                int k[3] = {c % side - cut, c / side % side - cut, c / (side * side) - cut};
                if (i == j && !k[0] && !k[1] && !k[2])
                    continue;
                double d[3];
                for (int x = 0; x < 3; x++)
                    d[x] = ions[i].r[x] - ions[j].r[x] + k[x] * box;
                double r = sqrt(dot(d, d));
                real += 0.5 * ions[i].q * ions[j].q * erfc(alpha * r) / r;
            }
    }
    const int most = 6;
    for (int a = -most; a <= most; a++)
        for (int b = -most; b <= most; b++)
            for (int c = -most; c <= most; c++) {
                int norm = a * a + b * b + c * c;
                if (norm == 0 || norm > most * most)
                    continue;
                double k[3] = {2 * M_PI * a / box, 2 * M_PI * b / box, 2 * M_PI * c / box}, k2 = dot(k, k);
                double complex s = 0;
                for (const struct ion *p = ions; p < ions + n; ++p)
                    s += p->q * cexp(I * dot(k, p->r));
                reciprocal += 2 * M_PI / (box * box * box) * exp(-k2 / (4 * alpha * alpha)) / k2 * creal(s * conj(s));
            }
    return real + reciprocal + self;
}

int main(void)
{
    struct ion cell[8];
    for (int i = 0; i < 8; i++) {
        int x = i & 1, y = i >> 1 & 1, z = i >> 2 & 1;
        cell[i] = (struct ion){{x, y, z}, (x ^ y ^ z) ? -1 : 1};
    }
    double e = ewald(8, cell, 2, 1.2, 2), f = ewald(8, cell, 2, 1.5, 2);
    CHECK_NEAR(e, f, 1e-4);
    CHECK_NEAR(-2 * e / 8, 1.747565, 1e-3);
    printf("Madelung %.3f\n", -2 * e / 8);
    return check_done();
}
