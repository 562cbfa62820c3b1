/* Log marginal likelihood of a Gaussian process with an RBF kernel: Cholesky on a VLA, hyperparameters by value, struct of gradients. */
#include <math.h>
#include <stdio.h>

struct gradients {
    double length, amplitude, noise;
};
struct gradients __enzyme_autodiff(void *, ...);
int enzyme_out, enzyme_const;

double lml(double length, double amplitude, double noise, const double *x, const double *y, int n)
{
    double k[n][n], alpha[n];
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            double d = (x[i] - x[j]) / length;
            k[i][j] = amplitude * amplitude * exp(-0.5 * d * d);
            if (i == j)
                k[i][j] += noise * noise;
        }
    double ll = 0;
    for (int j = 0; j < n; j++) {
        for (int i = j; i < n; i++) {
            double s = k[i][j];
            for (int p = 0; p < j; p++)
                s -= k[i][p] * k[j][p];
            if (i == j)
                k[j][j] = sqrt(s);
            else
                k[i][j] = s / k[j][j];
        }
        double s = y[j];
        for (int p = 0; p < j; p++)
            s -= k[j][p] * alpha[p];
        alpha[j] = s / k[j][j];
        ll -= 0.5 * alpha[j] * alpha[j] + log(k[j][j]) + 0.5 * log(2 * M_PI);
    }
    return ll;
}

int main(void)
{
    double x[7], y[7];
    for (int i = 0; i < 7; i++) {
        x[i] = 0.7 * i;
        y[i] = sin(x[i]);
    }
    struct gradients g = __enzyme_autodiff((void *)lml, enzyme_out, 1.1, enzyme_out, 0.9, enzyme_out, 0.2,
                                           enzyme_const, x, enzyme_const, y, enzyme_const, 7);
    double e = 1e-6;
    double fl = (lml(1.1 + e, 0.9, 0.2, x, y, 7) - lml(1.1 - e, 0.9, 0.2, x, y, 7)) / (2 * e);
    double fa = (lml(1.1, 0.9 + e, 0.2, x, y, 7) - lml(1.1, 0.9 - e, 0.2, x, y, 7)) / (2 * e);
    double fn = (lml(1.1, 0.9, 0.2 + e, x, y, 7) - lml(1.1, 0.9, 0.2 - e, x, y, 7)) / (2 * e);
    if (!(fabs(g.length - fl) < 1e-6 * (1 + fabs(fl)) && fabs(g.amplitude - fa) < 1e-6 * (1 + fabs(fa))
          && fabs(g.noise - fn) < 1e-6 * (1 + fabs(fn)))) {
        printf("(%g %g %g) vs (%g %g %g)\n", g.length, g.amplitude, g.noise, fl, fa, fn);
        return 1;
    }
    return 0;
}
