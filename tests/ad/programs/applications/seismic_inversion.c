/* Full waveform inversion in one dimension: a wave propagated in the current model, misfit at a receiver, several iterations. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct { int n, steps, source, receiver; double dt, *record; } survey;
double __enzyme_autodiff(void *, ...);
int enzyme_const;
int enzyme_dup;

static double ricker(double t)
{
    double a = M_PI * 3 * (t - 0.4);
    a *= a;
    return (1 - 2 * a) * exp(-a);
}

static void propagate(const survey *s, const double *speed, double *trace)
{
    double *prev = calloc(s->n, sizeof *prev), *cur = calloc(s->n, sizeof *cur), *next = calloc(s->n, sizeof *next);
    for (int t = 0; t < s->steps; t++) {
        for (int i = 1; i < s->n - 1; i++) {
            double c = speed[i] * s->dt * s->n;
            next[i] = 2 * cur[i] - prev[i] + c * c * (cur[i - 1] - 2 * cur[i] + cur[i + 1]);
        }
        next[s->source] += s->dt * s->dt * ricker(t * s->dt) * 100;
        trace[t] = next[s->receiver];
        double *recycle = prev;
        prev = cur;
        cur = next;
        next = recycle;
    }
    free(prev);
    free(cur);
    free(next);
}

static double misfit(const survey *s, const double *speed)
{
    double *trace = malloc(s->steps * sizeof *trace), r = 0;
    propagate(s, speed, trace);
    for (int t = 0; t < s->steps; t++)
        r += (trace[t] - s->record[t]) * (trace[t] - s->record[t]);
    free(trace);
    return r;
}

int main(void)
{
    enum { N = 30, T = 120 };
    double truth[N], model[N], g[N], record[T];
    survey s = {N, T, 4, 20, 0.015, record};
    for (int i = 0; i < N; i++) {
        truth[i] = i > 10 && i < 16 ? 1.2 : 1.0;
        model[i] = 1.05;
    }
    propagate(&s, truth, record);
    double first = misfit(&s, model), step = 1e-3;
    for (int it = 0; it < 25; it++) {
        memset(g, 0, sizeof g);
        __enzyme_autodiff((void *)misfit, enzyme_const, &s, enzyme_dup, model, g);
        if (it == 0 || it == 24)
            for (int i = 0; i < N; i += 4) {
                double k = model[i];
                model[i] = k + 1e-5;
                double a = misfit(&s, model);
                model[i] = k - 1e-5;
                double b = misfit(&s, model);
                model[i] = k;
                if (!(fabs(g[i] - (a - b) / 2e-5) < 1e-5 * (1 + fabs(g[i])))) {
                    printf("iteration %d, cell %d: %g vs %g\n", it, i, g[i], (a - b) / 2e-5);
                    return 1;
                }
            }
        double norm = 0, trial[N], now = misfit(&s, model);
        for (int i = 0; i < N; i++)
            norm += g[i] * g[i];
        for (step *= 4; step > 1e-12; step *= 0.5) {
            for (int i = 0; i < N; i++)
                trial[i] = model[i] - step * g[i] / sqrt(norm + 1e-30);
            if (misfit(&s, trial) < now)
                break;
        }
        memcpy(model, trial, sizeof model);
    }
    if (!(misfit(&s, model) < 0.3 * first)) {
        printf("misfit %g became %g\n", first, misfit(&s, model));
        return 1;
    }
    return 0;
}
