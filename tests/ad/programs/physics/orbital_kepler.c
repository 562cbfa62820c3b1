/* Kepler's equation solved by a do-while Newton loop, orbital elements to position. */
#include <math.h>
#include <stdio.h>

typedef struct { double a, e, m0; } elements;
extern int enzyme_dup;
extern int enzyme_const;
void __enzyme_autodiff(void *, ...);

static double eccentric(double mean, double e)
{
    double x = e < 0.8 ? mean : M_PI, dx;
    do {
        dx = (x - e * sin(x) - mean) / (1 - e * cos(x));
        x -= dx;
    } while (fabs(dx) > 1e-13);
    return x;
}

static void position(const elements *el, const double *times, int n, double *xy)
{
    for (int i = 0; i < n; i++) {
        double mean = el->m0 + times[i] / (el->a * sqrt(el->a));
        double ecc = eccentric(mean, el->e);
        *xy++ = el->a * (cos(ecc) - el->e);
        *xy++ = el->a * sqrt(1 - el->e * el->e) * sin(ecc);
    }
}

int main(void)
{
    elements el = {1.3, 0.4, 0.2}, d = {0, 0, 0};
    double times[3] = {0.5, 1.7, 3.1}, xy[6], seed[6] = {1, -2, 0.5, 1, 3, -1}, w[6];
    for (int i = 0; i < 6; i++)
        w[i] = seed[i];
    __enzyme_autodiff((void *)position, enzyme_dup, &el, &d, enzyme_const, times, enzyme_const, 3, enzyme_dup, xy, seed);
    double *v = &el.a, *g = &d.a;
    for (int k = 0; k < 3; k++) {
        double keep = v[k], up[6], down[6], fd = 0;
        v[k] = keep + 1e-6;
        position(&el, times, 3, up);
        v[k] = keep - 1e-6;
        position(&el, times, 3, down);
        v[k] = keep;
        for (int i = 0; i < 6; i++)
            fd += w[i] * (up[i] - down[i]) / 2e-6;
        if (!(fabs(fd - g[k]) < 1e-6 * (1 + fabs(fd)))) {
            printf("element %d: %g vs %g\n", k, g[k], fd);
            return 1;
        }
    }
    return 0;
}
