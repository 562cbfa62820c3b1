/* Adam on a tiny regression network, thousands of gradient calls: memory must not grow, loss must fall. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#define P 13
int enzyme_dup, enzyme_const;
double __enzyme_autodiff(void *, ...);

static double predict(const double *w, double x)
{
    double out = w[12];
    for (int h = 0; h < 4; h++)
        out += w[8 + h] * tanh(w[h] * x + w[4 + h]);
    return out;
}

static double loss(const double *w, const double *xs, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++) {
        double e = predict(w, xs[i]) - sin(3 * xs[i]);
        s += e * e;
    }
    return s / n;
}

int main(void)
{
    double w[P], m[P] = {0}, v[P] = {0}, xs[16];
    for (int i = 0; i < P; i++)
        w[i] = 0.9 * sin(5.0 * i + 1);
    for (int i = 0; i < 16; i++)
        xs[i] = -1 + i / 7.5;
    double first = loss(w, xs, 16), beta1 = 1, beta2 = 1;
    for (int it = 1; it <= 3000; it++) {
        double g[P];
        memset(g, 0, sizeof g);
        __enzyme_autodiff((void *)loss, enzyme_dup, w, g, enzyme_const, xs, enzyme_const, 16);
        beta1 *= 0.9;
        beta2 *= 0.999;
        for (int i = 0; i < P; i++) {
            m[i] = 0.9 * m[i] + 0.1 * g[i];
            v[i] = 0.999 * v[i] + 0.001 * g[i] * g[i];
            w[i] -= 0.01 * (m[i] / (1 - beta1)) / (sqrt(v[i] / (1 - beta2)) + 1e-8);
        }
    }
    double last = loss(w, xs, 16);
    if (!(last < 0.02 * first)) {
        printf("loss went from %g to %g only\n", first, last);
        return 1;
    }
    return 0;
}
