// Numbers that only end iterations or choose a row of a table: norms, largest residuals, searched tables, printed and rounded values.
#include <math.h>
#include <stdio.h>

#define N 7

extern int enzyme_dup;
extern void __enzyme_autodiff(void *, ...);
extern double __enzyme_fwddiff(void *, ...);

static double table(const double *t, const double *y, int n, double at)
{
    int i = 1;
    while (i < n - 1 && t[i] < at)
        i++;
    double w = (at - t[i - 1]) / (t[i] - t[i - 1]);
    return (1.0 - w) * y[i - 1] + w * y[i];
}

static double objective(const double *x)
{
    double root[N], last = 0.0, best = -1.0;
    int rounds = 0, chosen = 0;
    for (int i = 0; i < N; i++)
        root[i] = 1.0;
    for (;;) {
        double norm = 0.0, worst = 0.0, moved = 0.0;
        for (int i = 0; i < N; i++) {
            double residual = x[i] - root[i] * root[i];
            norm += residual * residual;
            worst = fmax(worst, fabs(residual));
        }
        if (norm < 1e-24 || worst < 1e-13 || rounds == 40)
            break;
        for (int i = 0; i < N; i++) {
            double step = 0.5 * (x[i] / root[i] - root[i]);
            root[i] += step;
            moved += step * step; // Used below: it has a derivative.
            last = rounds == 1 ? moved : last;
        }
        rounds++;
    }
    for (int i = 0; i < N; i++)
        if (root[i] * x[0] > best) {
            best = root[i] * x[0];
            chosen = i;
        }
    char text[32];
    snprintf(text, sizeof text, "%.3f", root[chosen] * x[1]);
    int whole = (int)floor(4.0 * x[2] + 0.3);
    return table(x, root, N, 2.35) * root[chosen] + last + whole + (text[0] == 'z');
}

int main(void)
{
    double x[N] = {1.1, 1.4, 1.9, 2.2, 2.6, 3.1, 3.3}, gradient[N] = {0};
    int wrong = 0;
    __enzyme_autodiff((void *)objective, enzyme_dup, x, gradient);
    for (int i = 0; i < N; i++) {
        double direction[N] = {0}, saved = x[i], step = 1e-6;
        direction[i] = 1.0;
        double tangent = __enzyme_fwddiff((void *)objective, enzyme_dup, x, direction);
        x[i] = saved + step;
        double above = objective(x);
        x[i] = saved - step;
        double difference = (above - objective(x)) / (2.0 * step);
        x[i] = saved;
        if (fabs(gradient[i] - difference) > 1e-7 || fabs(gradient[i] - tangent) > 1e-12) {
            printf("x[%d]: reverse %g, forward %g, differences %g\n", i, gradient[i], tangent, difference);
            wrong++;
        }
    }
    return wrong;
}
