// Sums over lists of neighbours: a first region only finds where the threads will add. Here with what decides whether an entry counts: distances, marks, integers that guard a table, tables that
// the region itself writes, and indices that are nonsense where a distance says so.
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

extern int enzyme_const, enzyme_dup;
double __enzyme_autodiff(void *, ...);

enum { N = 90, EACH = 6 };
static int start[N + 1], list[N * EACH], far_list[N * EACH], marks[N];

/* A distance decides. */
static double cut_off(const double *x, int n)
{
    double e = 0.0;
#pragma omp parallel for reduction(+ : e)
    for (int i = 0; i < n; i++)
        for (int k = start[i]; k < start[i + 1]; k++) {
            int j = list[k];
            double d = x[i] - x[j];
            if (d * d < 0.4)
                e += sin(d * x[j]) * (0.4 - d * d);
        }
    return e;
}

/* Only where the distance is small is the index one of the array: elsewhere it is far away. */
static double nonsense(const double *x, int n)
{
    double e = 0.0;
#pragma omp parallel for schedule(dynamic, 3) reduction(+ : e)
    for (int i = 0; i < n; i++)
        for (int k = start[i]; k < start[i + 1]; k++) {
            double d = x[i] - x[list[k]];
            int j = far_list[k];
            if (d < 0.3 && j >= 0)
                e += d * x[j] * x[i];
        }
    return e;
}

/* Marks and a second table, read only behind its test. */
static double marked(const double *x, int n)
{
    double e = 0.0;
#pragma omp parallel for reduction(+ : e) if (n > 3)
    for (int i = 0; i < n; i++) {
        if (!marks[i])
            continue;
        for (int k = start[i]; k < start[i + 1]; k++) {
            int j = list[k];
            if (marks[j] > 1)
                e += exp(x[list[start[j]]] * x[i]);
            else if (marks[j])
                e += x[j] * x[j] * x[i];
        }
    }
    return e;
}

/* A number decides which entry of a table is read. */
static double chosen(const double *x, int n)
{
    double e = 0.0;
#pragma omp parallel for reduction(+ : e) num_threads(3)
    for (int i = 0; i < n; i++)
        if (x[i] > 0.1) {
            int j = list[(i * 3) % start[n]];
            e += x[j] * x[i] * x[j];
        }
    return e;
}

/* Each thread first makes the table for its own part. */
static double made_here(const double *x, int *table, int n)
{
    double e = 0.0;
#pragma omp parallel reduction(+ : e)
    {
#pragma omp for
        for (int i = 0; i < n; i++)
            table[i] = (i * 7 + 3) % n;
#pragma omp for
        for (int i = 0; i < n; i++)
            e += x[table[i]] * x[table[table[i]]];
    }
    return e;
}

/* The loop ends early, and another one is left by a number. */
static double left_early(const double *x, int n)
{
    double e = 0.0;
#pragma omp parallel for reduction(+ : e)
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int k = start[i]; k < start[i + 1]; k++) {
            int j = list[k];
            if (j == i)
                continue;
            sum += x[j] * x[i];
            if (sum > 0.8)
                break;
        }
        e += sum * sum;
    }
    return e;
}

/* Results in an array, by the list. */
static double spread(const double *x, double *out, int n)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int k = start[i]; k < start[i + 1]; k++)
            if (list[k] < i)
                sum += x[list[k]] * x[list[k] + 1];
        out[i] = sum * x[i];
    }
    double e = 0.0;
    for (int i = 0; i < n; i++)
        e += out[i] * (1 + i % 4);
    return e;
}

typedef double function(const double *x, int n);
static int table[N];
static double out[N], out_bar[N];
static double made(const double *x, int n) { return made_here(x, table, n); }
static double spread_out(const double *x, int n) { return spread(x, out, n); }

static int compare(const char *name, function *f, const double *bar, double *x)
{
    int wrong = 0;
    for (int i = 0; i < N + 1; i++) {
        double old = x[i], h = 1e-6;
        x[i] = old + h;
        double up = f(x, N);
        x[i] = old - h;
        double down = f(x, N);
        x[i] = old;
        double expected = (up - down) / (2 * h);
        if (!(fabs(bar[i] - expected) < 1e-5 * (1 + fabs(expected)))) {
            printf("%s: x[%d]: %g instead of %g\n", name, i, bar[i], expected);
            wrong++;
        }
    }
    return wrong;
}

#define CHECK(f, ...)                                                          \
    do {                                                                       \
        for (int i = 0; i <= N; i++)                                           \
            bar[i] = 0.0;                                                      \
        __VA_ARGS__;                                                           \
        wrong += compare(#f, f, bar, x);                                       \
    } while (0)

int main(void)
{
    static double x[N + 1], bar[N + 1];
    int wrong = 0, used = 0;
    for (int i = 0; i < N; i++) {
        marks[i] = (i * 5 + 1) % 3;
        start[i] = used;
        for (int k = 0; k < (i * 7) % EACH; k++) {
            far_list[used] = (k * i) % 4 ? (i * 11 + k) % N : -1000000 * (k + 1);
            list[used++] = (i + k * k * 3 + 80) % N;
        }
    }
    start[N] = used;
    for (int i = 0; i <= N; i++)
        x[i] = 0.5 * sin(1.7 * i) + 0.3;
    for (int run = 0; run < 6; run++) {
        omp_set_num_threads(run < 5 ? run + 1 : 8);
        CHECK(cut_off, __enzyme_autodiff((void *)cut_off, enzyme_dup, x, bar, enzyme_const, N));
        CHECK(nonsense, __enzyme_autodiff((void *)nonsense, enzyme_dup, x, bar, enzyme_const, N));
        CHECK(marked, __enzyme_autodiff((void *)marked, enzyme_dup, x, bar, enzyme_const, N));
        CHECK(chosen, __enzyme_autodiff((void *)chosen, enzyme_dup, x, bar, enzyme_const, N));
        CHECK(made, __enzyme_autodiff((void *)made_here, enzyme_dup, x, bar, enzyme_const, table, enzyme_const, N));
        CHECK(left_early, __enzyme_autodiff((void *)left_early, enzyme_dup, x, bar, enzyme_const, N));
        CHECK(spread_out, __enzyme_autodiff((void *)spread, enzyme_dup, x, bar, enzyme_dup, out, out_bar, enzyme_const, N));
    }
    return wrong != 0;
}
