// flags: -lm
// Durand-Kerner: all roots of a polynomial at once.
#include "../check.h"
#include <complex.h>

#define DEGREE 5
static double complex evaluate(const double *c, double complex z)
{
    double complex r = c[DEGREE];
    for (int i = DEGREE - 1; i >= 0; i--)
        r = r * z + c[i];
    return r;
}

int main(void)
{
    // (z-1)(z+2)(z-3)(z^2+1)
    const double c[DEGREE + 1] = {6, -5, 4, -4, -2, 1};
    double complex roots[DEGREE], start = 0.4 + 0.9 * I;
    roots[0] = 1;
    for (int i = 1; i < DEGREE; i++)
        roots[i] = roots[i - 1] * start;
    int iterations = 0;
    double change;
    do {
        change = 0;
        for (int i = 0; i < DEGREE; i++) {
            double complex denominator = 1;
            for (int j = 0; j < DEGREE; j++)
                if (j != i)
                    denominator *= roots[i] - roots[j];
            double complex delta = evaluate(c, roots[i]) / denominator;
            roots[i] -= delta;
            if (cabs(delta) > change)
                change = cabs(delta);
        }
    } while (change > 1e-13 && ++iterations < 200);
    CHECK(iterations < 200);
    double complex product = 1, sum = 0;
    for (int i = 0; i < DEGREE; i++) {
        CHECK_NEAR(cabs(evaluate(c, roots[i])), 0, 1e-9);
        product *= roots[i];
        sum += roots[i];
    }
    CHECK_NEAR(creal(product), -6, 1e-9);
    CHECK_NEAR(creal(sum), 2, 1e-9);
    printf("%.8f %.8f\n", creal(product), creal(sum));
    return check_done();
}
