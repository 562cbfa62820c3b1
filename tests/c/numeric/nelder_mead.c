// The Nelder-Mead simplex method.
#include "../check.h"

#define D 2
static int evaluations;
static double rosenbrock(const double *x)
{
    evaluations++;
    double a = 1 - x[0], b = x[1] - x[0] * x[0];
    return a * a + 100 * b * b;
}
static void blend(double *out, const double *c, const double *w, double t)
{
    for (int i = 0; i < D; i++)
        out[i] = c[i] + t * (w[i] - c[i]);
}
static void assign(double *a, const double *b) { for (int i = 0; i < D; i++) a[i] = b[i]; }

int main(void)
{
    double s[D + 1][D] = {{-1.2, 1}, {-1, 1}, {-1.2, 1.2}}, f[D + 1];
    for (int i = 0; i <= D; i++)
        f[i] = rosenbrock(s[i]);
    int it;
    for (it = 0; it < 500; it++) {
        int best = 0, worst = 0, second = 0;
        for (int i = 1; i <= D; i++) {
            if (f[i] < f[best]) best = i;
            if (f[i] > f[worst]) worst = i;
        }
        second = best;
        for (int i = 0; i <= D; i++)
            if (i != worst && f[i] > f[second])
                second = i;
        if (f[worst] - f[best] < 1e-14)
            break;
        double c[D] = {0}, r[D], e[D];
        for (int i = 0; i <= D; i++)
            if (i != worst)
                for (int k = 0; k < D; k++)
                    c[k] += s[i][k] / D;
        blend(r, c, s[worst], -1);
        double fr = rosenbrock(r);
        if (fr < f[best]) {
            blend(e, c, s[worst], -2);
            double fe = rosenbrock(e);
            assign(s[worst], fe < fr ? e : r);
            f[worst] = fe < fr ? fe : fr;
        } else if (fr < f[second]) {
            assign(s[worst], r);
            f[worst] = fr;
        } else {
            blend(e, c, s[worst], 0.5);
            double fe = rosenbrock(e);
            if (fe < f[worst]) {
                assign(s[worst], e);
                f[worst] = fe;
            } else
                for (int i = 0; i <= D; i++)
                    if (i != best) {
                        blend(s[i], s[best], s[i], 0.5);
                        f[i] = rosenbrock(s[i]);
                    }
        }
    }
    CHECK(it < 500);
    CHECK_NEAR(s[0][0], 1, 1e-5);
    CHECK_NEAR(s[0][1], 1, 1e-5);
    printf("%d %d\n", it, evaluations);
    return check_done();
}
