/* Time loops over one-dimensional arrays of all lengths, down to none: each step reads neighbours non-linearly and overwrites the array in one way or another. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int enzyme_dup, enzyme_const;
void __enzyme_autodiff(void *, ...);

static double sum_of(const double *u, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s += (1 + i % 3) * u[i] * u[i];
    return s;
}

/* Borders by a remainder, the result copied back. */
static double periodic(const double *x, int n, int steps)
{
    double u[40], next[40];
    for (int i = 0; i < n; i++)
        u[i] = x[i];
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++) {
            double left = u[(i + n - 1) % n], right = u[(i + 1) % n];
            next[i] = u[i] + 0.1 * u[i] * (left - right) + 0.05 * left * right;
        }
        for (int i = 0; i < n; i++)
            u[i] = next[i];
    }
    return sum_of(u, n);
}

/* Borders by choices, unsigned counters, memcpy. */
static double chosen(const double *x, int n, int steps)
{
    size_t m = (size_t)n;
    double *u = malloc((m + 1) * sizeof *u), *next = malloc((m + 1) * sizeof *next);
    memcpy(u, x, m * sizeof *u);
    for (int t = 0; t < steps; t++) {
        for (size_t i = 0; i < m; i++) {
            double left = i > 0 ? u[i - 1] : u[m - 1], right = i + 1 < m ? u[i + 1] : u[0];
            double slope = u[i] > 0.9 ? u[i] - left : right - u[i];
            next[i] = u[i] - 0.1 * u[i] * slope + 0.02 * (left - 2 * u[i] + right);
        }
        memcpy(u, next, m * sizeof *u);
    }
    double s = sum_of(u, n);
    free(u);
    free(next);
    return s;
}

/* Buffers exchanged by pointer; ends stay. */
static double exchanged(const double *x, int n, int steps)
{
    double *now = calloc((size_t)n + 1, sizeof *now), *next = calloc((size_t)n + 1, sizeof *next);
    for (int i = 0; i < n; i++)
        now[i] = next[i] = x[i];
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            next[i] = now[i] + 0.2 * (1 + 0.1 * now[i]) * (now[i - 1] - 2 * now[i] + now[i + 1]);
        double *other = now;
        now = next;
        next = other;
    }
    double s = sum_of(now, n);
    free(now);
    free(next);
    return s;
}

/* Three buffers in turn. */
static double three(const double *x, int n, int steps)
{
    double a[40], b[40], c[40], *last = a, *now = b, *next = c;
    for (int i = 0; i < n; i++)
        last[i] = now[i] = next[i] = x[i];
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            next[i] = 2 * now[i] - last[i] + 0.1 * now[i] * (now[i - 1] * now[i + 1] - now[i] * last[i]);
        double *other = last;
        last = now;
        now = next;
        next = other;
    }
    return sum_of(now, n);
}

/* In place, forwards: what is read on the left is new already. */
static double in_place(const double *x, int n, int steps)
{
    double u[40];
    for (int i = 0; i < n; i++)
        u[i] = x[i];
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            u[i] = 0.5 * u[i] + 0.2 * u[i - 1] * u[i + 1];
    return sum_of(u, n);
}

/* In place, where only what is ahead is read. */
static double ahead(const double *x, int n, int steps)
{
    double u[40];
    for (int i = 0; i < n; i++)
        u[i] = x[i];
    for (int t = 0; t < steps; t++)
        for (int i = 0; i < n - 2; i++)
            u[i] = 0.5 * u[i] * u[i + 1] + 0.2 * u[i + 2];
    return sum_of(u, n);
}

/* Red and black points in turn. */
static double red_black(const double *x, int n, int steps)
{
    double u[40];
    for (int i = 0; i < n; i++)
        u[i] = x[i];
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i += 2)
            u[i] = 0.5 * u[i] + 0.2 * u[i - 1] * u[i + 1];
        for (int i = 2; i < n - 1; i += 2)
            u[i] = 0.5 * u[i] + 0.2 * u[i - 1] * u[i + 1];
    }
    return sum_of(u, n);
}

/* Fluxes first, then the update: two nests read the same version of the array. */
static double fluxes(const double *x, int n, int steps)
{
    double u[40], flux[41];
    for (int i = 0; i < n; i++)
        u[i] = x[i];
    for (int t = 0; t < steps; t++) {
        flux[0] = flux[n] = 0;
        for (int i = 1; i < n; i++)
            flux[i] = 0.25 * (u[i - 1] * u[i - 1] + u[i] * u[i]) - 0.1 * sin(u[i] - u[i - 1]);
        for (int i = 0; i < n; i++)
            u[i] -= 0.1 * (flux[i + 1] - flux[i]) * (1 + 0.1 * u[i]);
    }
    return sum_of(u, n);
}

/* The array is written between two nests that read it. */
static double two_versions(const double *x, int n, int steps)
{
    double u[40], v[40];
    for (int i = 0; i < n; i++)
        u[i] = x[i];
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++)
            v[i] = u[i] * u[n - 1 - i];
        for (int i = 0; i < n; i++)
            u[i] = 0.3 * v[i] + 0.2;
        for (int i = 0; i < n; i++)
            v[i] += sin(u[i]) * u[n - 1 - i];
        for (int i = 0; i < n; i++)
            u[i] += 0.1 * v[i];
    }
    return sum_of(u, n);
}

/* Only a part that depends on the step is read, and the step may end the loop. */
static double growing_part(const double *x, int n, int steps)
{
    double u[40], v[40];
    for (int i = 0; i < n; i++)
        u[i] = v[i] = x[i];
    for (int t = 0; t < steps; t++) {
        int end = t + 2 < n ? t + 2 : n;
        for (int i = 0; i < end; i++)
            v[i] = u[i] * u[end - 1 - i] + 0.1 * u[i];
        for (int i = 0; i < n; i++)
            u[i] = 0.9 * v[i];
        if (n > 0 && u[0] > 3)
            break;
    }
    return sum_of(u, n);
}

static double part_of_larger(const double *x, int n, int steps)
{
    static double u[100];
    double v[40];
    for (int i = 0; i < n; i++)
        u[30 + i] = x[i];
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n; i++)
            v[i] = u[30 + i] * u[29 + i] + (i > 3 ? u[26 + i] : 0.5);
        for (int i = 1; i < n; i++)
            u[30 + i] = 0.3 * v[i] * v[i];
    }
    double s = sum_of(u + 30, n);
    for (int i = 0; i < n; i++)
        u[30 + i] = 0;
    return s;
}

#define CHECK(f)                                                                                                                       \
    do {                                                                                                                               \
        double x[32], g[32] = {0};                                                                                                     \
        for (int i = 0; i < 32; i++)                                                                                                   \
            x[i] = 0.8 + 0.4 * cos(3.0 * i + 1);                                                                                       \
        __enzyme_autodiff((void *)f, enzyme_dup, x, g, enzyme_const, n, enzyme_const, steps);                                          \
        for (int i = 0; i < n; i++) {                                                                                                  \
            double keep = x[i], h = 1e-5;                                                                                              \
            x[i] = keep + h;                                                                                                           \
            double high = f(x, n, steps);                                                                                              \
            x[i] = keep - h;                                                                                                           \
            double low = f(x, n, steps);                                                                                               \
            x[i] = keep;                                                                                                               \
            double wanted = (high - low) / (2 * h);                                                                                    \
            if (!(fabs(g[i] - wanted) < 1e-6 * (1 + fabs(wanted)))) {                                                                  \
                printf(#f ", n %d, steps %d: %d is %.9g instead of %.9g\n", n, steps, i, g[i], wanted);                                \
                status = 1;                                                                                                            \
            }                                                                                                                          \
        }                                                                                                                              \
    } while (0)

int main(void)
{
    static const int lengths[] = {0, 1, 2, 3, 4, 5, 9, 17, 32};
    int status = 0;
    for (int k = 0; k < 9; k++)
        for (int steps = 0; steps < 4; steps++) {
            int n = lengths[k];
            CHECK(periodic);
            CHECK(chosen);
            CHECK(exchanged);
            CHECK(three);
            CHECK(in_place);
            CHECK(ahead);
            CHECK(red_black);
            CHECK(fluxes);
            CHECK(two_versions);
            CHECK(growing_part);
            CHECK(part_of_larger);
        }
    return status;
}
