// Loops whose iterations have memory of their own (steps of an oscillator, a local history): sixteen of them run side by side in the derivative, and the loop itself does what is left over.
// Numbers of iterations around multiples of sixteen, no and many steps, sums of the primal that keep their order, branches, floats.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int enzyme_const, enzyme_dup, enzyme_primal_return;
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

/* Steps known only at run time: the caches are on the heap. */
static double oscillators(const double *start, const double *damping, int n, int steps)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        double y[2] = {start[i], 0.1}, slope[2];
        for (int t = 0; t < steps; t++) {
            slope[0] = y[1];
            slope[1] = damping[i] * (1 - y[0] * y[0]) * y[1] - y[0];
            for (int d = 0; d < 2; d++)
                y[d] += 0.01 * slope[d];
        }
        sum += y[0] * y[1] + 0.5 * y[0];
    }
    return sum;
}

/* A history on the stack, with a shadow; weights that all iterations share, and a branch. */
static double histories(const double *weights, const double *input, int n, int unused)
{
    enum { T = 21 };
    double sum = 0.0;
    (void)unused;
    for (int i = 0; i < n; i++) {
        double h[T + 2];
        h[0] = h[1] = 0.2 * input[i];
        for (int t = 0; t < T; t++) {
            double a = weights[0] * h[t] + weights[1] * h[t + 1] + weights[2] * input[i];
            h[t + 2] = a > 0.3 ? 0.3 + 0.5 * (a - 0.3) : a;
        }
        double e = 0.0;
        for (int t = 2; t < T + 2; t++)
            e += h[t] * h[t] - weights[t % 3] * h[t];
        sum += e * e;
    }
    return sum;
}

/* What an iteration hands to the next must not be torn apart. */
static double chained(const double *x, const double *y, int n, int steps)
{
    double carry = 0.5, sum = 0.0;
    for (int i = 0; i < n; i++) {
        double state = x[i] + 0.1 * carry;
        for (int t = 0; t < steps; t++)
            state = 0.9 * state + 0.1 * state * y[i];
        carry = state;
        sum += state * state;
    }
    return sum;
}

/* Floats, and a local array whose last entry of the iteration before is never read. */
static double floats(const double *x, const double *y, int n, int steps)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        float level[3] = {(float)x[i], 1.0f, 0.5f};
        for (int t = 0; t < steps % 50; t++)
            level[(t + 1) % 3] = 0.8f * level[t % 3] + 0.1f * (float)y[i] * level[t % 3];
        sum += level[0] + 2 * level[1] + level[2] * level[2];
    }
    return sum;
}

enum { MOST = 70 };
static double x[MOST], y[MOST], dx[MOST], dy[MOST];

static int check(const char *name, double (*f)(const double *, const double *, int, int), double (*gradient)(int, int), double (*forward)(const double *, const double *, int, int), int n, int steps,
                 double tolerance)
{
    memset(dx, 0, sizeof dx);
    memset(dy, 0, sizeof dy);
    double value = gradient(n, steps), expected = f(x, y, n, steps);
    if (memcmp(&value, &expected, sizeof value) != 0 && fabs(value - expected) > 1e-13 * fabs(expected)) {
        printf("%s(%d, %d): %.17g, not %.17g\n", name, n, steps, value, expected);
        return 1;
    }
    double along[2][MOST], reverse = 0.0;
    for (int i = 0; i < MOST; i++) {
        along[0][i] = 0.3 + 0.01 * i;
        along[1][i] = 0.7 - 0.015 * i;
        reverse += along[0][i] * dx[i] + along[1][i] * dy[i];
    }
    double tangent = forward(along[0], along[1], n, steps);
    if (fabs(reverse - tangent) > tolerance * (1 + fabs(tangent))) {
        printf("%s(%d, %d): reverse %.17g, forward %.17g\n", name, n, steps, reverse, tangent);
        return 1;
    }
    return 0;
}

#define CASE(f)                                                                                                                                                 \
    static double f##_gradient(int n, int steps) { return __enzyme_autodiff((void *)f, enzyme_primal_return, enzyme_dup, x, dx, enzyme_dup, y, dy, enzyme_const, n, enzyme_const, steps); } \
    static double f##_forward(const double *a, const double *b, int n, int steps)                                                                               \
    {                                                                                                                                                           \
        return __enzyme_fwddiff((void *)f, enzyme_dup, x, a, enzyme_dup, y, b, enzyme_const, n, enzyme_const, steps);                                           \
    }
CASE(oscillators)
CASE(histories)
CASE(chained)
CASE(floats)

int main(void)
{
    static const int sizes[] = {0, 1, 15, 16, 17, 31, 33, 48, MOST}, steps[] = {0, 1, 7, 100, 2500};
    int failures = 0;
    for (int i = 0; i < MOST; i++) {
        x[i] = 0.5 + 0.02 * i;
        y[i] = 1.2 - 0.01 * i;
    }
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        for (size_t s = 0; s < sizeof steps / sizeof *steps; s++) {
            failures += check("oscillators", oscillators, oscillators_gradient, oscillators_forward, sizes[k], steps[s], 1e-9);
            failures += check("histories", histories, histories_gradient, histories_forward, sizes[k], steps[s], 1e-9);
            failures += check("chained", chained, chained_gradient, chained_forward, sizes[k], steps[s], 1e-9);
            failures += check("floats", floats, floats_gradient, floats_forward, sizes[k], steps[s], 1e-4);
        }
    return failures != 0;
}
