// Running minima and maxima: only the iteration that chose last has a derivative. With the first element before the loop or a bound that is never chosen, with the number of the iteration beside it, several
// values chosen at once, a loop inside, ties, sizes down to none; and sums that depend on what was chosen before, which are something else.
#include <math.h>
#include <stdio.h>
#include <string.h>

extern int enzyme_const, enzyme_dup;
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

enum { N = 40, D = 3 };

static double largest(const double *x, int n)
{
    double best = 0.25;
    for (int i = 0; i < n; i++)
        if (x[i] * x[i + 1] > best)
            best = x[i] * x[i + 1];
    return best * best;
}

static double stable_sum(const double *x, int n)
{
    double m = x[0], s = 0.0;
    for (int i = 1; i < n; i++)
        m = x[i] < m ? m : x[i];
    for (int i = 0; i < n; i++)
        s += exp(x[i] - m);
    return m + log(s) + m * m;
}

/* The nearest of several centres, its number, and another number of it. */
static double nearest(const double *x, int n)
{
    double sum = 0.0;
    for (int p = 0; p < 4; p++) {
        double best = 1e30, weight = 0.0;
        int chosen = -1;
        for (int c = 0; c < n / D; c++) {
            double d = 0.0;
            for (int k = 0; k < D; k++) {
                double t = x[p * D + k] + 0.1 - x[c * D + k];
                d += t * t;
            }
            if (d < best) {
                best = d;
                weight = sin(x[c * D]);
                chosen = c;
            }
        }
        sum += best * weight * (1 + chosen);
    }
    return sum;
}

/* Best way through a table, step by step. */
static double way(const double *x, int n)
{
    double now[N], next[N];
    for (int s = 0; s < n; s++)
        now[s] = x[s];
    for (int t = 1; t < 5; t++) {
        for (int s = 0; s < n; s++) {
            double best = now[0] + x[s];
            for (int p = 1; p < n; p++) {
                double v = now[p] + x[(p * t + s) % N] * x[p];
                if (v >= best)
                    best = v;
            }
            next[s] = 0.5 * best;
        }
        memcpy(now, next, sizeof now);
    }
    double sum = 0.0;
    for (int s = 0; s < n; s++)
        sum += now[s] * now[s];
    return sum;
}

/* What is chosen depends on what was chosen before. */
static double dependent(const double *x, int n)
{
    double level = 0.3;
    for (int i = 0; i < n; i++)
        if (x[i] > level)
            level = 0.5 * level + 0.5 * x[i] * x[i];
    return level;
}

/* Beside it a sum; and the loop writes. */
static double beside(const double *x, int n)
{
    double y[N], best = -1.0, sum = 0.0;
    for (int i = 0; i < n; i++) {
        y[i] = x[i] * x[i];
        sum += y[i];
        if (y[i] > best)
            best = y[i] * x[0];
    }
    return sum * best;
}

/* Unsigned counters, and floats. */
static double floats(const double *x, int n)
{
    float worst = 1e9f;
    for (size_t i = 0; i < (size_t)n; i++) {
        float v = (float)(x[i] * x[i] + x[N - 1 - i]);
        worst = v < worst ? v : worst;
    }
    return worst;
}

static double x[N + 1], dx[N + 1], e[N + 1];

#define CHECK(f, least, tolerance)                                                                \
    for (int n = least; n <= N - 4; n += n < 4 ? 1 : 8) {                                         \
        memset(dx, 0, sizeof dx);                                                                 \
        __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, n);                         \
        for (int k = 0; k <= N; k++) {                                                            \
            e[k] = 1.0;                                                                           \
            double forward = __enzyme_fwddiff((void *)f, enzyme_dup, x, e, enzyme_const, n);      \
            e[k] = 0.0;                                                                           \
            if (!(fabs(forward - dx[k]) <= tolerance * (1 + fabs(forward)))) {                    \
                printf("%s(%d)[%d]: %.17g, not %.17g\n", #f, n, k, dx[k], forward);               \
                failures++;                                                                       \
            }                                                                                     \
        }                                                                                         \
    }

int main(void)
{
    int failures = 0;
    for (int i = 0; i <= N; i++)
        x[i] = sin(2.3 * i * i) + 0.2;
    x[17] = x[5];
    CHECK(largest, 0, 1e-12)
    CHECK(stable_sum, 1, 1e-12)
    CHECK(nearest, 0, 1e-12)
    CHECK(way, 1, 1e-12)
    CHECK(dependent, 0, 1e-12)
    CHECK(beside, 0, 1e-12)
    CHECK(floats, 0, 1e-5)
    return failures != 0;
}
