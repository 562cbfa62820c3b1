/* Integration with step doubling, the state in a struct with a heap array, the stepper given as a callback. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct { size_t n; double *u; double t; } state;
typedef void (*stepper)(state *, double, const double *);
extern double __enzyme_autodiff(void *, ...);
extern int enzyme_dup;
extern int enzyme_const;

static void euler(state *s, double h, const double *p)
{
    for (size_t i = 0; i < s->n; i++)
        s->u[i] += h * (-p[0] * s->u[i] + p[1] * (i ? s->u[i - 1] : 1));
    s->t += h;
}

static void heun(state *s, double h, const double *p)
{
    double *keep = malloc(s->n * sizeof *keep), t = s->t;
    memcpy(keep, s->u, s->n * sizeof *keep);
    euler(s, h, p);
    euler(s, h, p);
    for (size_t i = 0; i < s->n; i++)
        s->u[i] = 0.5 * (keep[i] + s->u[i]);
    s->t = t + h;
    free(keep);
}

static void integrate(state *s, double end, double h, stepper step, const double *p)
{
    while (s->t < end - 1e-12)
        step(s, fmin(h, end - s->t), p);
}

double observe(const double *p, int method)
{
    state s = {.n = 3, .u = calloc(3, sizeof(double)), .t = 0};
    s.u[0] = 1;
    integrate(&s, 1.0, 0.07, method ? heun : euler, p);
    double r = s.u[2] * s.u[2] + s.u[1];
    free(s.u);
    return r;
}

int main(void)
{
    for (int method = 0; method < 2; method++) {
        double p[2] = {0.8, 1.3}, g[2] = {0};
        __enzyme_autodiff((void *)observe, enzyme_dup, p, g, enzyme_const, method);
        for (int i = 0; i < 2; i++) {
            double k = p[i];
            p[i] = k + 1e-6;
            double a = observe(p, method);
            p[i] = k - 1e-6;
            double b = observe(p, method);
            p[i] = k;
            if (!(fabs(g[i] - (a - b) / 2e-6) < 1e-8)) {
                printf("method %d, p[%d]: %g vs %g\n", method, i, g[i], (a - b) / 2e-6);
                return 1;
            }
        }
    }
    return 0;
}
