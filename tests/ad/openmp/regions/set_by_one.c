// What one thread sets for all, and each thread could set for itself: buffers that go round, counters, and cases where that would not be the same.
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int enzyme_const, enzyme_dup;
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

enum { N = 37 };

/* Three buffers; the last ones are used behind the region. */
static double rotated(const double *start, int n, int steps)
{
    double *u = malloc((size_t)n * sizeof *u), *old = malloc((size_t)n * sizeof *old), *next = malloc((size_t)n * sizeof *next), sum = 0.0;
    memcpy(u, start, (size_t)n * sizeof *u);
    memcpy(old, start, (size_t)n * sizeof *u);
    memcpy(next, start, (size_t)n * sizeof *u);
#pragma omp parallel
    for (int t = 0; t < steps; t++) {
#pragma omp for
        for (int i = 1; i < n - 1; i++)
            next[i] = 2 * u[i] - old[i] + 0.1 * u[i] * (u[i - 1] - 2 * u[i] + u[i + 1]);
#pragma omp single
        {
            double *gone = old;
            old = u;
            u = next;
            next = gone;
        }
    }
    for (int i = 0; i < n; i++)
        sum += u[i] * u[i] + 0.5 * old[i] * next[i];
    free(u);
    free(old);
    free(next);
    return sum;
}

/* A step counter and a direction, set by the master; one more variable that everybody's sum goes into stays shared. */
static double counted(const double *x, int n, int steps)
{
    int step = 0, way = 1;
    double total = 0.0, part = 0.0;
#pragma omp parallel
    {
        while (step < steps) {
#pragma omp for reduction(+ : part)
            for (int i = 0; i < n; i++)
                part += sin(x[i] * (step + 1)) * way;
#pragma omp barrier
#pragma omp master
            {
                total += part * part;
                part = 0.0;
                way = -way;
                step++;
            }
#pragma omp barrier
        }
    }
    return total + step * x[0];
}

/* Only some steps exchange, and a branch of one thread reads what it sets. */
static double sometimes(const double *x, int n, int steps)
{
    double *a = malloc((size_t)n * sizeof *a), *b = malloc((size_t)n * sizeof *b), seen = 0.0, sum = 0.0;
    int from = 0;
    memcpy(a, x, (size_t)n * sizeof *a);
    memcpy(b, x, (size_t)n * sizeof *b);
#pragma omp parallel
    for (int t = 0; t < steps; t++) {
#pragma omp for
        for (int i = 0; i < n; i++)
            b[i] = a[i] * a[(i + from + 1) % n] + 0.1 * x[i];
        if (t % 3 != 1) {
#pragma omp single
            {
                double *other = a;
                a = b;
                b = other;
                from = (from + 2) % n;
                seen += a[from] * t;
            }
        }
    }
    for (int i = 0; i < n; i++)
        sum += a[i] * (i + 1);
    free(a);
    free(b);
    return sum + seen + from * x[1];
}

/* A buffer that comes from memory, so that only one thread may look for it. */
static double listed(const double *x, int n, int steps)
{
    double *buffers[3], sum = 0.0, *now;
    int at = 0;
    for (int k = 0; k < 3; k++) {
        buffers[k] = malloc((size_t)n * sizeof(double));
        for (int i = 0; i < n; i++)
            buffers[k][i] = x[i] * (k + 1);
    }
    now = buffers[0];
#pragma omp parallel
    for (int t = 0; t < steps; t++) {
#pragma omp for reduction(+ : sum)
        for (int i = 0; i < n; i++)
            sum += now[i] * now[i] * (t + 1);
#pragma omp single
        {
            at = (at + 1) % 3;
            now = buffers[at];
        }
    }
    for (int k = 0; k < 3; k++)
        free(buffers[k]);
    return sum;
}

static int check(const char *name, double (*f)(const double *, int, int), int n, int steps)
{
    double x[N], bar[N] = {0}, worst = 0.0;
    for (int i = 0; i < n; i++)
        x[i] = 0.4 + 0.3 * sin(1.7 * i);
    __enzyme_autodiff((void *)f, enzyme_dup, x, bar, enzyme_const, n, enzyme_const, steps);
    for (int i = 0; i < n; i++) {
        double h = 1e-6, old = x[i], dot[N] = {0};
        x[i] = old + h;
        double up = f(x, n, steps);
        x[i] = old - h;
        double down = f(x, n, steps);
        x[i] = old;
        dot[i] = 1.0;
        double tangent = __enzyme_fwddiff((void *)f, enzyme_dup, x, dot, enzyme_const, n, enzyme_const, steps);
        double error = fmax(fabs(bar[i] - (up - down) / (2 * h)), fabs(bar[i] - tangent)) / (1 + fabs(bar[i]));
        if (!(error <= worst))
            worst = error;
    }
    if (!(worst < 2e-7)) {
        printf("%s (%d, %d): %g\n", name, n, steps, worst);
        return 1;
    }
    return 0;
}

int main(void)
{
    int wrong = 0;
    for (int steps = 0; steps < 6; steps++) {
        wrong += check("rotated", rotated, N, steps);
        wrong += check("counted", counted, N, steps);
        wrong += check("sometimes", sometimes, N, steps);
        wrong += check("listed", listed, N, steps);
    }
    return wrong != 0;
}
