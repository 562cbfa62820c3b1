/* Incomplete gamma by series and Lentz continued fraction: two algorithms by region, loops that end by tolerance. */
#include <math.h>
#include <stdio.h>

extern double __enzyme_autodiff(void *, ...);
extern int enzyme_const, enzyme_out;

double gamma_p(double a, double x)
{
    if (x < a + 1) {
        double term = 1 / a, sum = term;
        for (int n = 1; n < 500; n++) {
            term *= x / (a + n);
            sum += term;
            if (fabs(term) < fabs(sum) * 1e-16)
                break;
        }
        return sum * exp(-x + a * log(x) - lgamma(a));
    }
    double tiny = 1e-300, b = x + 1 - a, c = 1 / tiny, d = 1 / b, h = d;
    for (int i = 1; i < 500; i++) {
        double an = -i * (i - a);
        b += 2;
        d = an * d + b;
        if (fabs(d) < tiny)
            d = tiny;
        c = b + an / c;
        if (fabs(c) < tiny)
            c = tiny;
        d = 1 / d;
        double del = d * c;
        h *= del;
        if (fabs(del - 1) < 1e-16)
            break;
    }
    return 1 - exp(-x + a * log(x) - lgamma(a)) * h;
}

int main(void)
{
    const double xs[] = {0.5, 1.5, 2.9, 4.2, 8};
    for (int i = 0; i < 5; i++) {
        double a = 2.3, x = xs[i];
        double g = __enzyme_autodiff((void *)gamma_p, enzyme_const, a, enzyme_out, x);
        double want = pow(x, a - 1) * exp(-x) / tgamma(a);
        double ga = __enzyme_autodiff((void *)gamma_p, enzyme_out, a, enzyme_const, x);
        double fa = (gamma_p(a + 1e-5, x) - gamma_p(a - 1e-5, x)) / 2e-5;
        if (!(fabs(g - want) < 1e-12 && fabs(ga - fa) < 1e-8)) {
            printf("x = %g: %.14g vs %.14g, %.10g vs %.10g\n", x, g, want, ga, fa);
            return 1;
        }
    }
    return 0;
}
