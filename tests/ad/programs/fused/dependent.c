/* Loops that look like sums over samples, and whose iterations do depend on each other or are needed earlier. */
#include "check.h"

enum { D = 4 };

/* What the last iteration left is read, only not in the first. */
static double left_over(const double *x, int n)
{
    double last[1], s = 0.0;
    last[0] = 0.0;
    for (int i = 0; i < n; i++) {
        double d = exp(x[i]) - last[0];
        if (i > 0)
            s += d * d;
        last[0] = exp(x[i] * x[i]);
    }
    return s;
}
GRADIENT(left_over)

static double kept(const double *x, int n)
{
    double *last = malloc(D * sizeof *last), s = 0.0;
    for (int i = 0; i < n; i++) {
        if (i > 0)
            s += last[i % D] * x[i];
        for (int k = 0; k < D; k++)
            last[k] = exp(x[i] * k);
    }
    free(last);
    return s;
}
GRADIENT(kept)

/* Read behind the loop. */
static double behind(const double *x, int n)
{
    double h[D] = {0}, s = 0.0;
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < D; k++)
            h[k] = tanh(x[i] * k);
        for (int k = 0; k < D; k++)
            s += h[k] * h[k] * h[k];
    }
    return s + h[1] * h[2];
}
GRADIENT(behind)

/* Only a part is written anew. */
static double in_part(const double *x, int n)
{
    double h[D] = {1, 2, 3, 4}, s = 0.0;
    for (int i = 0; i < n; i++) {
        for (int k = 1; k < D; k++)
            h[k] = sin(x[i] * k);
        for (int k = 0; k < D; k++)
            h[k] += h[k] * x[i] * 0.01;
        for (int k = 0; k < D; k++)
            s += h[k] * h[k];
    }
    return s;
}
GRADIENT(in_part)

/* Written only sometimes, and as far as the sample says. */
static double sometimes(const double *x, int n)
{
    double h[D] = {0}, s = 0.0;
    for (int i = 0; i < n; i++) {
        if (x[i] > 0.5)
            for (int k = 0; k < D; k++)
                h[k] = exp(x[i]);
        for (int k = 0; k < i % D; k++)
            h[k] = cos(x[i]);
        for (int k = 0; k < D; k++)
            s += h[k] * h[k];
    }
    return s;
}
GRADIENT(sometimes)

/* The diagonal is set, and all elements are added to. */
static double diagonal(const double *x, int n)
{
    double *a = malloc(D * D * sizeof *a), s = 0.0;
    for (int i = 0; i < D * D; i++)
        a[i] = 0.1;
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < D; k++)
            a[k * D + k] = x[i];
        for (int k = 0; k < D; k++)
            for (int l = 0; l < D; l++)
                a[k * D + l] = a[k * D + l] * 0.5 + x[i] * x[i];
        for (int k = 0; k < D * D; k++)
            s += a[k] * a[k];
    }
    free(a);
    return s;
}
GRADIENT(diagonal)

/* The sum is used on the way, or is not a sum. */
static double on_the_way(const double *x, int n)
{
    double s = 1.0, average = 0.0, product = 1.0, most = -1.0, final = 0.0;
    for (int i = 0; i < n; i++) {
        double e = exp(0.1 * x[i]);
        s += 0.1 * e * s;
        average = 0.9 * average + e;
        product *= e;
        if (e * x[i] > most)
            most = e * x[i];
        final = e * e;
    }
    return s + average + product + most + final;
}
GRADIENT(on_the_way)

static double last_wins(const double *x, int n)
{
    double last = 0.0;
    for (int i = 0; i < n; i++)
        last = exp(x[i]) * exp(x[i] * x[i]);
    return last;
}
GRADIENT(last_wins)

/* What follows needs the sum. */
static double root_mean_square(const double *x, int n)
{
    double s = 0.0, h[D];
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < D; k++)
            h[k] = exp(x[i] * k);
        for (int k = 0; k < D; k++)
            s += h[k] * h[k];
    }
    return n ? sqrt(s / n) : 0.0;
}
GRADIENT(root_mean_square)

/* Bins that several samples add to. */
static double bins(const double *x, int n)
{
    double *bin = calloc(D, sizeof *bin), s = 0.0;
    for (int i = 0; i < n; i++) {
        bin[i % D] += exp(x[i]);
        s += exp(x[i]) * exp(2 * x[i]);
    }
    for (int k = 0; k < D; k++)
        s += bin[k] * bin[k];
    free(bin);
    return s;
}
GRADIENT(bins)

/* One piece of scratch for two loops, the second of which reads what the first left. */
static double two_loops(const double *x, int n)
{
    double h[D] = {0}, s = 0.0;
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < D; k++)
            h[k] = exp(x[i] * k);
        for (int k = 0; k < D; k++)
            s += h[k] * h[k];
    }
    for (int i = 0; i < n; i++) {
        for (int k = 1; k < D; k++)
            h[k] = sin(x[i] * k);
        for (int k = 0; k < D; k++)
            s += h[k] * h[k];
    }
    return s;
}
GRADIENT(two_loops)

/* Early ends. */
static double early(const double *x, int n)
{
    double s = 0.0;
    for (int i = 0; i < n; i++) {
        double e = exp(x[i]);
        if (e > 2.9)
            continue;
        if (i == 50)
            break;
        s += e * sqrt(e);
    }
    return s;
}
GRADIENT(early)

/* What the loop reads is overwritten behind it, in memory of the caller. */
static void in_place(double *x, int n, double *out)
{
    double s = 0.0, h[D];
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < D; k++)
            h[k] = exp(x[i] * k);
        for (int k = 0; k < D; k++)
            s += h[k] * h[k];
    }
    for (int i = 0; i < n; i++)
        x[i] = 0.0;
    *out = s;
}
static double in_place_value(const double *x, int n)
{
    double copy[MOST], s;
    memcpy(copy, x, n * sizeof *x);
    in_place(copy, n, &s);
    return s;
}
static void in_place_value_gradient(const double *x, double *g, int n)
{
    double copy[MOST], s = 0.0, s_bar = 1.0;
    memcpy(copy, x, n * sizeof *x);
    __enzyme_autodiff((void *)in_place, enzyme_dup, copy, g, enzyme_const, n, enzyme_dup, &s, &s_bar);
    if (fabs(s - in_place_value(x, n)) > 1e-12)
        g[0] = NAN;
}

/* The result goes where the loop reads. */
static void over(double *x, int n)
{
    double s = 0.0, h[D];
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < D; k++)
            h[k] = exp(x[i] * k);
        for (int k = 0; k < D; k++)
            s += h[k] * h[k];
    }
    if (n)
        x[n - 1] = s;
}
static double over_value(const double *x, int n)
{
    double copy[MOST + 1];
    memcpy(copy, x, n * sizeof *x);
    over(copy, n);
    return n ? copy[n - 1] : 0.0;
}
static void over_value_gradient(const double *x, double *g, int n)
{
    double copy[MOST];
    memcpy(copy, x, n * sizeof *x);
    if (n)
        g[n - 1] = 1.0;
    __enzyme_autodiff((void *)over, enzyme_dup, copy, g, enzyme_const, n);
}

int main(void)
{
    return CHECK(left_over) || CHECK(kept) || CHECK(behind) || CHECK(in_part) || CHECK(sometimes) || CHECK(diagonal) || CHECK(on_the_way) ||
           CHECK(last_wins) || CHECK(root_mean_square) || CHECK(bins) || CHECK(two_loops) || CHECK(early) || CHECK(in_place_value) ||
           CHECK(over_value);
}
