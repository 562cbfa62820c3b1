// An integrator that keeps its callback and its workspaces in a struct; functions of other types have their addresses taken, too.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
extern int enzyme_dup, enzyme_const;

typedef int (*Slope)(double t, const double *y, double *dy, void *user);

typedef struct {
    Slope slope;
    void *user;
    int n;
    double *k[3], *work;
    long calls, rejected;
} Stepper;

static Stepper *make(Slope slope, void *user, int n)
{
    Stepper *s = calloc(1, sizeof *s);
    s->slope = slope;
    s->user = user;
    s->n = n;
    for (int i = 0; i < 3; i++)
        s->k[i] = malloc(n * sizeof(double));
    s->work = malloc(n * sizeof(double));
    return s;
}

static void drop(Stepper *s)
{
    for (int i = 0; i < 3; i++)
        free(s->k[i]);
    free(s->work);
    free(s);
}

static const double nodes[3] = {0, 0.5, 0.75}, weights[3] = {2. / 9, 1. / 3, 4. / 9};

static int step(Stepper *s, double t, double h, double *y, double *error)
{
    for (int j = 0; j < 3; j++) {
        for (int i = 0; i < s->n; i++)
            s->work[i] = y[i] + (j ? h * nodes[j] * s->k[j - 1][i] : 0);
        if (s->slope(t + nodes[j] * h, s->work, s->k[j], s->user))
            return -1;
        s->calls++;
    }
    double e = 0;
    for (int i = 0; i < s->n; i++) {
        double d = 0;
        for (int j = 0; j < 3; j++)
            d += weights[j] * s->k[j][i];
        s->work[i] = y[i] + h * d;
        e += (d - s->k[1][i]) * (d - s->k[1][i]) * h * h;
    }
    *error = sqrt(e) * 1e4;
    return 0;
}

static int integrate(Stepper *s, double t, double end, double *y, double h)
{
    while (t < end - 1e-12) {
        if (t + h > end)
            h = end - t;
        double error;
        if (step(s, t, h, y, &error))
            return -1;
        if (error <= 1) {
            memcpy(y, s->work, s->n * sizeof(double));
            t += h;
        } else
            s->rejected++;
        double factor = 0.9 * pow(error + 1e-10, -1. / 3);
        h *= factor > 3 ? 3 : factor < 0.3 ? 0.3 : factor;
    }
    return 0;
}

typedef struct {
    int n;
    double rate, spread;
} Medium;

static int diffuse(double t, const double *y, double *dy, void *user)
{
    Medium *m = user;
    for (int i = 0; i < m->n; i++) {
        double left = i ? y[i - 1] : m->rate, right = i < m->n - 1 ? y[i + 1] : m->rate * t;
        dy[i] = m->spread * (left - 2 * y[i] + right) + y[i] * (m->rate - y[i] * y[i]);
    }
    return 0;
}

static double energy(const double *x, int n)
{
    Medium m = {n - 2, x[0], x[1]};
    double y[16];
    memcpy(y, x + 2, (n - 2) * sizeof(double));
    Stepper *s = make(diffuse, &m, n - 2);
    int failed = integrate(s, 0, 0.8, y, 0.01);
    drop(s);
    double sum = 0;
    for (int i = 0; i < n - 2; i++)
        sum += y[i] * y[i] * (i + 1);
    return failed ? -1 : sum;
}

static int check(double (*f)(const double *, int), const double *g, double *x, int n)
{
    int wrong = 0;
    for (int i = 0; i < n; i++) {
        double kept = x[i], h = 1e-6, v[16] = {0};
        x[i] = kept + h;
        double above = f(x, n);
        x[i] = kept - h;
        double below = f(x, n);
        x[i] = kept;
        v[i] = 1;
        double expected = (above - below) / (2 * h);
        double t = __enzyme_fwddiff((void *)energy, enzyme_dup, x, v, enzyme_const, n);
        if (!(fabs(g[i] - expected) < 1e-5 * (1 + fabs(expected)))
            || !(fabs(t - g[i]) < 1e-9 * (1 + fabs(g[i])))) {
            printf("component %d: %.12g, forward %.12g, differences %.12g\n", i, g[i], t, expected);
            wrong = 1;
        }
    }
    return wrong;
}

int main(void)
{
    enum { n = 10 };
    double x[n] = {0.8, 0.6}, g[n] = {0};
    for (int i = 2; i < n; i++)
        x[i] = sin(i);
    __enzyme_autodiff((void *)energy, enzyme_dup, x, g, enzyme_const, n);
    return check(energy, g, x, n);
}
