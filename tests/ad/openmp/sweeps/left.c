// What threads leave in memory between barriers is read there in the reverse sweep, unless a thread writes there behind a barrier, in order, or in a later step.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
extern int enzyme_dup, enzyme_const;

enum { N = 53 };

/* Two loops and a sum: nothing is overwritten. */
static double stays(const double *x, double *w, int n)
{
    double sum = 0;
#pragma omp parallel
    {
#pragma omp for
        for (int i = 0; i < n; i++)
            w[i] = tanh(x[i] * x[(i + 1) % n]);
#pragma omp for
        for (int i = 0; i < n; i++)
            w[n + i] = exp(w[i] * w[n - 1 - i]);
#pragma omp for reduction(+ : sum)
        for (int i = 0; i < n; i++)
            sum += w[n + i] * w[i];
    }
    return sum;
}

/* Another thread writes to half of it behind the barrier. */
static double goes(const double *x, double *w, int n)
{
    double sum = 0;
#pragma omp parallel
    {
#pragma omp for schedule(static, 3) reduction(+ : sum)
        for (int i = 0; i < n; i++) {
            w[i] = exp(0.5 * x[i]);
            sum += w[i] * w[i];
        }
#pragma omp for
        for (int i = 0; i < n / 2; i++)
            w[n - 1 - 2 * i] = sin(x[i]);
#pragma omp single
        w[3] = 0.25 * w[4];
    }
    return sum + w[3] * w[n - 1];
}

/* Steps inside the region: the place is some other thread's in the next step. */
static double steps(const double *x, double *w, int n)
{
    double sum = 0;
#pragma omp parallel
    {
        for (int t = 0; t < 3; t++) {
#pragma omp for reduction(+ : sum)
            for (int i = 0; i < n; i++) {
                w[(i + 11 * t) % n] = exp(0.1 * x[i] * (t + 1));
                sum += w[(i + 11 * t) % n] * x[i];
            }
        }
    }
    return sum + w[0] * w[n - 1];
}

/* Shares that threads take by their numbers, in one loop, and one thread that corrects an element. */
static double by_hand(const double *x, double *w, int n)
{
    double sum = 0;
#pragma omp parallel reduction(+ : sum)
    {
#pragma omp for schedule(dynamic, 2)
        for (int i = 0; i < n; i++) {
            double v = exp(-x[i] * x[i]);
            w[i] = v;
            sum += v * w[i];
        }
#pragma omp master
        for (int k = 5; k < n; k += 17)
            w[k] = w[k - 1] * x[k];
#pragma omp barrier
#pragma omp for
        for (int i = 0; i < n; i++)
            sum += w[i] * w[(i + 1) % n];
    }
    return sum;
}

static int failures;

static void compare(const char *name, const char *what, double found, double expected)
{
    if (fabs(found - expected) > 1e-6 * (1 + fabs(expected))) {
        printf("%s, %s: %.10g instead of %.10g\n", name, what, found, expected);
        failures++;
    }
}

static void start(double *x, double *w)
{
    for (int i = 0; i < N; i++)
        x[i] = 0.2 + 0.5 * sin(1.0 + i);
    memset(w, 0, 2 * N * sizeof *w);
}

#define TRY(F)                                                                                                                               \
    do {                                                                                                                                     \
        double x[N], w[2 * N], bar[N] = {0}, w_bar[2 * N] = {0}, dot[N], w_dot[2 * N] = {0}, at[2], product = 0;                             \
        for (int side = 0; side < 2; side++) {                                                                                               \
            start(x, w);                                                                                                                     \
            for (int i = 0; i < N; i++) {                                                                                                    \
                dot[i] = cos(3.0 * i);                                                                                                       \
                x[i] += (side ? 1e-6 : -1e-6) * dot[i];                                                                                      \
            }                                                                                                                                \
            at[side] = F(x, w, N);                                                                                                           \
        }                                                                                                                                    \
        start(x, w);                                                                                                                         \
        double tangent = __enzyme_fwddiff((void *)F, enzyme_dup, x, dot, enzyme_dup, w, w_dot, enzyme_const, N);                             \
        start(x, w);                                                                                                                         \
        __enzyme_autodiff((void *)F, enzyme_dup, x, bar, enzyme_dup, w, w_bar, enzyme_const, N);                                             \
        for (int i = 0; i < N; i++)                                                                                                          \
            product += bar[i] * dot[i];                                                                                                      \
        compare(#F, "tangent", tangent, (at[1] - at[0]) / 2e-6);                                                                             \
        compare(#F, "gradient", product, tangent);                                                                                           \
    } while (0)

int main(void)
{
    TRY(stays);
    TRY(goes);
    TRY(steps);
    TRY(by_hand);
    printf("%d wrong\n", failures);
    return failures != 0;
}
