/* Active values in globals and static locals: accumulated across calls within one differentiated call, through pointers to globals too. */
#include <math.h>
#include <stdio.h>

static double total, history[8];
static int cursor;
static double *sink = &total;
double factor = 1.5;

double __enzyme_autodiff(void *, ...);

static void record(double v)
{
    history[cursor++ % 8] = v;
    total += v * factor;
}

static double smooth(double v)
{
    static double state;
    state = 0.7 * state + 0.3 * v;
    return state;
}

static void reset(void)
{
    total = 0;
    cursor = 0;
}

double process(const double *x, int n)
{
    reset();
    for (int i = 0; i < n; i++)
        record(x[i] * x[i]);
    double s = total;
    for (int i = 0; i < cursor; i++)
        s += history[i] * history[(i + 1) % cursor];
    total = s * s;
    return total + sin(history[0]);
}

double filtered(const double *x, int n)
{
    double s = 0;
    for (int k = 0; k < 60; k++) /* wash out what an earlier call left */
        smooth(0);
    for (int i = 0; i < n; i++)
        s += smooth(x[i]) * (i + 1);
    return s;
}

int main(void)
{
    double x[5] = {0.4, 0.9, -0.3, 1.1, 0.6};
    if (sink != &total)
        return 3;
    for (int round = 0; round < 2; round++) {
        double g[5] = {0}, h[5] = {0};
        __enzyme_autodiff((void *)process, x, g, 5);
        __enzyme_autodiff((void *)filtered, x, h, 5);
        for (int i = 0; i < 5; i++) {
            double k = x[i];
            x[i] = k + 1e-6;
            double p = process(x, 5), fp = filtered(x, 5);
            x[i] = k - 1e-6;
            double m = process(x, 5), fm = filtered(x, 5);
            x[i] = k;
            if (!(fabs(g[i] - (p - m) / 2e-6) < 1e-5 * (1 + fabs(g[i])) && fabs(h[i] - (fp - fm) / 2e-6) < 1e-6)) {
                printf("round %d, x[%d]: %g vs %g, %g vs %g\n", round, i, g[i], (p - m) / 2e-6, h[i], (fp - fm) / 2e-6);
                return 1;
            }
        }
        factor = 0.5;
    }
    return 0;
}
