/* Mean-field magnetisation by damped fixed-point iteration, sensitivity against the implicit function theorem. */
#include <math.h>
#include <stdio.h>

double __enzyme_autodiff(void *, ...);
int enzyme_out;
int enzyme_const;

double magnetisation(double beta, double field)
{
    double m = 0.5;
    int n = 0;
    while (1) {
        double fresh = tanh(beta * (m + field));
        double delta = fresh - m;
        m += 0.7 * delta;
        if (fabs(delta) < 1e-15 || ++n == 5000)
            break;
    }
    return m;
}

int main(void)
{
    double beta = 1.4, h = 0.1;
    double d = __enzyme_autodiff((void *)magnetisation, enzyme_const, beta, enzyme_out, h);
    double db = __enzyme_autodiff((void *)magnetisation, enzyme_out, beta, enzyme_const, h);
    double m = magnetisation(beta, h), s = 1 - m * m;
    double want = beta * s / (1 - beta * s), wantb = (m + h) * s / (1 - beta * s);
    if (!(fabs(d - want) < 1e-9 * want && fabs(db - wantb) < 1e-9 * wantb)) {
        printf("%.12g vs %.12g, %.12g vs %.12g\n", d, want, db, wantb);
        return 1;
    }
    return 0;
}
