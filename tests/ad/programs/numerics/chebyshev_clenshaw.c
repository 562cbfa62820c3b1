/* Chebyshev fit and Clenshaw evaluation, coefficients computed in the differentiated function from a callback. */
#include <math.h>
#include <stdio.h>

#define ORDER 12
void __enzyme_autodiff(void *, ...);

static void fit(double (*f)(double, const double *), const double *p, double c[ORDER])
{
    double values[ORDER];
    for (int k = 0; k < ORDER; k++)
        values[k] = f(cos(M_PI * (k + 0.5) / ORDER), p);
    for (int j = 0; j < ORDER; j++) {
        double s = 0;
        for (int k = 0; k < ORDER; k++)
            s += values[k] * cos(M_PI * j * (k + 0.5) / ORDER);
        c[j] = 2 * s / ORDER;
    }
}

static double clenshaw(const double *c, double x)
{
    double d = 0, dd = 0;
    for (int j = ORDER - 1; j > 0; j--) {
        double save = d;
        d = 2 * x * d - dd + c[j];
        dd = save;
    }
    return x * d - dd + 0.5 * c[0];
}

static double bump(double x, const double *p) { return 1 / (1 + p[0] * x * x) + p[1] * sin(p[2] * x); }

double approximated(const double *p)
{
    double c[ORDER];
    fit(bump, p, c);
    return clenshaw(c, 0.37) * clenshaw(c, -0.61);
}

int main(void)
{
    double p[3] = {1.5, 0.4, 2.0}, g[3] = {0};
    __enzyme_autodiff((void *)approximated, p, g);
    for (int i = 0; i < 3; i++) {
        double k = p[i];
        p[i] = k + 1e-6;
        double a = approximated(p);
        p[i] = k - 1e-6;
        double b = approximated(p);
        p[i] = k;
        if (!(fabs(g[i] - (a - b) / 2e-6) < 1e-8)) {
            printf("p[%d]: %g vs %g\n", i, g[i], (a - b) / 2e-6);
            return 1;
        }
    }
    return 0;
}
