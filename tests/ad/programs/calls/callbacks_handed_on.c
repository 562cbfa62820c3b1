// A callback that a recursive function hands on to itself, beside one that takes `void *` and treats what is behind it as something else.
#include <math.h>
#include <stdio.h>

extern int enzyme_dup;
extern void __enzyme_autodiff(void *, ...);

struct counted {
    double rate;
    int calls;
};

static double decay(double t, void *data)
{
    struct counted *c = data;
    c->calls++;
    return exp(-c->rate * t);
}

static double peak(double t, const double *p)
{
    return p[0] / (0.01 + (t - p[1]) * (t - p[1]));
}

static double adapt(double (*f)(double, const double *), const double *p, double a, double b, double fa, double fb, int depth)
{
    double m = 0.5 * (a + b), fm = f(m, p), coarse = 0.5 * (b - a) * (fa + fb);
    double fine = 0.25 * (b - a) * (fa + 2.0 * fm + fb);
    if (depth == 0 || fabs(fine - coarse) < 1e-7)
        return (4.0 * fine - coarse) / 3.0;
    return adapt(f, p, a, m, fa, fm, depth - 1) + adapt(f, p, m, b, fm, fb, depth - 1);
}

struct problem {
    double (*function)(double, void *);
    void *data;
};

static double rectangle(const struct problem *p, double b, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += p->function((i + 0.5) * b / n, p->data);
    return sum * b / n;
}

static double objective(const double *x)
{
    struct counted c = {x[0], 0};
    struct problem p = {decay, &c};
    return adapt(peak, x, 0.0, 1.0, peak(0.0, x), peak(1.0, x), 10) + rectangle(&p, 1.0 + x[1], 20) + c.calls;
}

int main(void)
{
    double x[2] = {0.3, 0.4}, gradient[2] = {0};
    int wrong = 0;
    __enzyme_autodiff((void *)objective, enzyme_dup, x, gradient);
    for (int i = 0; i < 2; i++) {
        double saved = x[i], step = 1e-6;
        x[i] = saved + step;
        double above = objective(x);
        x[i] = saved - step;
        double difference = (above - objective(x)) / (2 * step);
        x[i] = saved;
        if (fabs(gradient[i] - difference) > 1e-5 * (1.0 + fabs(difference))) {
            printf("x[%d]: %g, differences %g\n", i, gradient[i], difference);
            wrong++;
        }
    }
    return wrong;
}
