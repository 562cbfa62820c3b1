// Several adjoint seeds at once: one forward sweep, whatever the function does to memory. Each seed must give the row that it gives alone.
// needs: mem2reg counted
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int enzyme_dup, enzyme_const, enzyme_width, enzyme_out, enzyme_dupnoneed;
int enzyme_dup, enzyme_const, enzyme_width, enzyme_out, enzyme_dupnoneed;
void __enzyme_autodiff(void *, ...);

static int failures;
static void expect(const char *what, double is, double should)
{
    if (!(fabs(is - should) <= 1e-12 * (1 + fabs(should)))) {
        printf("%s: %.17g instead of %.17g\n", what, is, should);
        failures++;
    }
}

enum { N = 7 };

/* Overwrites what it reads. */
static void in_place(double *x, int n)
{
    for (int step = 0; step < 3; step++)
        for (int i = 0; i < n; i++)
            x[i] = sin(x[i]) * x[(i + 1) % n];
}

/* Two buffers that change places, and one on the heap. */
static void swapped(const double *x, double *y, int n)
{
    double *now = malloc(n * sizeof *now), *next = malloc(n * sizeof *next);
    memcpy(now, x, n * sizeof *now);
    for (int step = 0; step < 4; step++) {
        for (int i = 0; i < n; i++)
            next[i] = now[i] * now[(i + step) % n] + 0.1 * x[i];
        double *other = now;
        now = next;
        next = other;
    }
    memcpy(y, now, n * sizeof *now);
    free(now);
    free(next);
}

/* Branches and an early exit. */
static void branches(const double *x, double *y, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        if (x[i] > 0.7)
            sum += exp(x[i]);
        else if (x[i] > 0.2)
            sum *= x[i];
        if (sum > 5)
            break;
        y[i] = sum * x[i];
    }
    y[n - 1] = sum;
}

/* A buffer in the shadow of a struct, and a local one of variable size that it may be instead: what all seeds share is freed once. */
struct layer {
    int n;
    double *weights;
};
static void layers(struct layer *layer, const double *x, double *y, int use_own)
{
    double own[layer->n + 1];
    for (int i = 0; i < layer->n; i++)
        own[i] = x[i] * x[i];
    const double *from = use_own ? own : x;
    for (int i = 0; i < layer->n; i++)
        y[i] = layer->weights[i] * from[i] + tanh(from[(i + 2) % layer->n]);
}

/* What a global keeps for later in the call. */
static double kept[N];
static void through_global(const double *x, double *y, int n)
{
    for (int i = 0; i < n; i++)
        kept[i] = x[i] * x[n - 1 - i];
    for (int i = 0; i < n; i++)
        y[i] = kept[i] * kept[(i + 3) % n];
}

/* A loop over samples that is fused, and constants of it. */
static double samples(const double *w, const double *data, int n, int count)
{
    double sum = 0;
    for (int s = 0; s < count; s++) {
        double a[N], dot = 0;
        for (int i = 0; i < n; i++) {
            a[i] = tanh(w[i] * data[s * n + i]);
            dot += a[i] * w[n - 1 - i];
        }
        sum += dot * dot * exp(-a[0]);
    }
    return sum;
}
static void check_samples(void)
{
    double w[N], data[4 * N], alone[N] = {0}, rows[3][N] = {{0}};
    for (int i = 0; i < 4 * N; i++) {
        w[i % N] = 0.2 + 0.1 * (i % N);
        data[i] = 0.3 * (i % 5) - 0.4;
    }
    __enzyme_autodiff((void *)samples, enzyme_dup, w, alone, enzyme_const, data, enzyme_const, N, enzyme_const, 4);
    __enzyme_autodiff((void *)samples, enzyme_width, 3, enzyme_dup, w, rows[0], rows[1], rows[2], enzyme_const, data, enzyme_const, N, enzyme_const, 4);
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < N; i++)
            expect("samples", rows[k][i], alone[i]);
}

static double at(int k) { return 0.3 + 0.9 * ((k * 37 % 11) / 11.0); }

static void check_in_place(void)
{
    double rows[3][N] = {{0}}, alone[3][N] = {{0}}, x[N];
    for (int k = 0; k < 3; k++)
        rows[k][2 * k] = alone[k][2 * k] = 1 + k;
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < N; i++)
            x[i] = at(i);
        __enzyme_autodiff((void *)in_place, enzyme_dup, x, alone[k], enzyme_const, N);
    }
    double last[N];
    memcpy(last, x, sizeof x);
    for (int i = 0; i < N; i++)
        x[i] = at(i);
    __enzyme_autodiff((void *)in_place, enzyme_width, 3, enzyme_dup, x, rows[0], rows[1], rows[2], enzyme_const, N);
    for (int i = 0; i < N; i++) {
        expect("in place", x[i], last[i]);
        for (int k = 0; k < 3; k++)
            expect("in place", rows[k][i], alone[k][i]);
    }
}

#define CHECK(f)                                                                                                                                               \
    do {                                                                                                                                                       \
        double x[N], y[N], rows[2][N] = {{0}}, alone[2][N] = {{0}}, seeds[2][N] = {{0}};                                                                       \
        for (int i = 0; i < N; i++)                                                                                                                            \
            x[i] = at(i);                                                                                                                                      \
        for (int k = 0; k < 2; k++) {                                                                                                                          \
            for (int i = 0; i < N; i++)                                                                                                                        \
                seeds[k][i] = k + 0.1 * i;                                                                                                                     \
            __enzyme_autodiff((void *)f, enzyme_dup, x, alone[k], enzyme_dup, y, seeds[k], enzyme_const, N);                                                   \
            for (int i = 0; i < N; i++)                                                                                                                        \
                seeds[k][i] = k + 0.1 * i;                                                                                                                     \
        }                                                                                                                                                      \
        __enzyme_autodiff((void *)f, enzyme_width, 2, enzyme_dup, x, rows[0], rows[1], enzyme_dup, y, seeds[0], seeds[1], enzyme_const, N);                    \
        for (int k = 0; k < 2; k++)                                                                                                                            \
            for (int i = 0; i < N; i++)                                                                                                                        \
                expect(#f, rows[k][i], alone[k][i]);                                                                                                           \
    } while (0)

static void check_layers(int use_own)
{
    double x[N], y[N], w[N], x_bar[3][N] = {{0}}, w_bar[3][N] = {{0}}, y_bar[3][N];
    struct layer layer = {N, w}, bars[3] = {{N, w_bar[0]}, {N, w_bar[1]}, {N, w_bar[2]}};
    for (int i = 0; i < N; i++) {
        x[i] = at(i);
        w[i] = at(i + 3);
        for (int k = 0; k < 3; k++)
            y_bar[k][i] = i == k % 2 * 3;
    }
    __enzyme_autodiff((void *)layers, enzyme_width, 2, enzyme_dup, &layer, &bars[0], &bars[1], enzyme_dup, x, x_bar[0], x_bar[1], enzyme_dup, y, y_bar[0],
                      y_bar[1], enzyme_const, use_own);
    __enzyme_autodiff((void *)layers, enzyme_dup, &layer, &bars[2], enzyme_dup, x, x_bar[2], enzyme_dup, y, y_bar[2], enzyme_const, use_own);
    for (int i = 0; i < N; i++) {
        expect("layers", x_bar[0][i], x_bar[2][i]);
        expect("layers", w_bar[0][i], w_bar[2][i]);
    }
    expect("layers", w_bar[1][3], use_own ? x[3] * x[3] : x[3]);
}

/* Two seeds may add to the same memory: both count. */
static double product(const double *x) { return x[0] * x[1]; }
static void check_shared(void)
{
    double x[2] = {3, 4}, bar[2] = {0};
    __enzyme_autodiff((void *)product, enzyme_width, 2, enzyme_dup, x, bar, bar);
    expect("shared", bar[0], 8);
    expect("shared", bar[1], 6);
}

int main(void)
{
    check_in_place();
    CHECK(swapped);
    CHECK(branches);
    CHECK(through_global);
    check_layers(0);
    check_layers(1);
    check_samples();
    check_shared();
    return failures != 0;
}
