// Buffers of the caller that take turns in a loop over steps and are read behind it: apart, overlapping, the same; no step, an odd and an even number of them; three that rotate; a loop that is left early.
#include <math.h>
#include <stdio.h>
#include <string.h>

int enzyme_dup, enzyme_const;
double __enzyme_autodiff(void *, ...);

enum { N = 9, ALL = N * N * N };
#define AT(i, j, k) (((i) * n + (j)) * n + (k))

/* Rows in lanes, in a nest of three loops. */
static double diffuse(const double *kappa, double *a, double *b, int n, int steps)
{
    for (int s = 0; s < steps; s++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                for (int k = 1; k < n - 1; k++) {
                    double c = a[AT(i, j, k)];
                    b[AT(i, j, k)] = c + kappa[AT(i, j, k)] * (a[AT(i - 1, j, k)] + a[AT(i + 1, j, k)] + a[AT(i, j - 1, k)] + a[AT(i, j + 1, k)] + a[AT(i, j, k - 1)] + a[AT(i, j, k + 1)] - 6 * c) - 0.1 * c * c * c;
                }
        double *t = a;
        a = b;
        b = t;
    }
    double e = 0;
    for (int i = 0; i < n * n * n; i++)
        e += a[i] * a[i] * (1 + i % 3);
    return e;
}

/* Each row needs the one before: the nest must not turn. */
static double march(const double *kappa, double *a, double *b, int n, int steps)
{
    for (int s = 0; s < steps; s++) {
        for (int i = 1; i < n * n; i++)
            for (int k = 0; k < n; k++)
                b[i * n + k] = 0.6 * b[(i - 1) * n + k] * a[i * n + k] + kappa[i * n + k] * a[i * n + k];
        double *t = a;
        a = b;
        b = t;
    }
    double e = 0;
    for (int i = 0; i < n * n * n; i++)
        e += a[i] * b[i];
    return e;
}

/* Three buffers, and a loop that a value ends. */
static double leap(const double *kappa, double *a, double *b, int n, int steps)
{
    double c_memory[ALL] = {0};
    double *c = c_memory;
    for (int s = 0; s < steps; s++) {
        for (int i = 1; i < n * n * n - 1; i++)
            c[i] = 0.5 * b[i] - 0.3 * a[i] + kappa[i] * (b[i - 1] + b[i + 1] - 2 * b[i]);
        double *t = a;
        a = b;
        b = c;
        c = t;
        if (b[5] > 0.2)
            break;
    }
    double e = 0;
    for (int i = 0; i < n * n * n; i++)
        e += b[i] * b[i] * c[i] + a[i];
    return e;
}

typedef double function(const double *, double *, double *, int, int);
static double memory[3 * ALL], bars[3 * ALL], now[3 * ALL], kappa[ALL], kappa_bar[ALL];

/* The second buffer starts `apart` numbers behind the first. */
static double value(function *f, int apart, int steps)
{
    memcpy(now, memory, sizeof now);
    return f(kappa, now, now + apart, N, steps);
}

static int compare(const char *name, function *f, int apart, int steps, double *x, const double *bar, int count)
{
    int wrong = 0;
    for (int i = 0; i < count; i += 5) {
        double old = x[i], h = 1e-6;
        x[i] = old + h;
        double up = value(f, apart, steps);
        x[i] = old - h;
        double down = value(f, apart, steps);
        x[i] = old;
        double expected = (up - down) / (2 * h);
        if (!(fabs(bar[i] - expected) < 1e-6 * (1 + fabs(expected)))) {
            printf("%s, %d apart, %d steps: [%d]: %g instead of %g\n", name, apart, steps, i, bar[i], expected);
            wrong++;
        }
    }
    return wrong;
}

#define TRY(f)                                                                                                                                            \
    do {                                                                                                                                                  \
        memcpy(now, memory, sizeof now);                                                                                                                  \
        memset(bars, 0, sizeof bars);                                                                                                                     \
        memset(kappa_bar, 0, sizeof kappa_bar);                                                                                                           \
        __enzyme_autodiff((void *)f, enzyme_dup, kappa, kappa_bar, enzyme_dup, now, bars, enzyme_dup, now + apart, bars + apart, enzyme_const, N, enzyme_const, steps); \
        wrong += compare(#f, f, apart, steps, memory, bars, 3 * ALL) + compare(#f, f, apart, steps, kappa, kappa_bar, ALL);                               \
    } while (0)

int main(void)
{
    int wrong = 0;
    for (int i = 0; i < 3 * ALL; i++)
        memory[i] = 0.6 * sin(0.7 * i) + 0.1;
    for (int i = 0; i < ALL; i++)
        kappa[i] = 0.1 + 0.02 * cos(1.1 * i);
    int distances[] = {ALL, 2 * ALL, ALL - 3, 1, 0, N * N};
    for (int d = 0; d < 6; d++)
        for (int steps = 0; steps < 4; steps++) {
            int apart = distances[d];
            TRY(diffuse);
            TRY(march);
            TRY(leap);
        }
    return wrong != 0;
}
