/* Static const tables at file and block scope, two-dimensional, of structs, indexed by data; a static counter. */
#include <math.h>
#include <stdio.h>

static const double binomial[5][5] = {{1}, {1, 1}, {1, 2, 1}, {1, 3, 3, 1}, {1, 4, 6, 4, 1}};
static int calls;
extern int enzyme_out;
double __enzyme_autodiff(void *, ...);

double bernstein(double x, int degree)
{
    static const struct { const char *label; double scale; } unit[] = {{"m", 1.0}, {"cm", 100.0}, {"mm", 1000.0}};
    static int invocations = 0;
    invocations++;
    calls++;
    double s = 0;
    for (int k = 0; k <= degree; k++) {
        double t = binomial[degree][k];
        for (int i = 0; i < k; i++)
            t *= x;
        for (int i = k; i < degree; i++)
            t *= 1 - x;
        s += t * sin(k);
    }
    return s * unit[degree % 3].scale + 0 * invocations;
}

int main(void)
{
    for (int d = 1; d < 5; d++) {
        double g = __enzyme_autodiff((void *)bernstein, enzyme_out, 0.35, d);
        double fd = (bernstein(0.35 + 1e-6, d) - bernstein(0.35 - 1e-6, d)) / 2e-6;
        if (!(fabs(g - fd) < 1e-6 * (1 + fabs(fd)))) {
            printf("degree %d: %g vs %g\n", d, g, fd);
            return 1;
        }
    }
    if (calls < 8) {
        printf("the counter is %d\n", calls);
        return 1;
    }
    return 0;
}
