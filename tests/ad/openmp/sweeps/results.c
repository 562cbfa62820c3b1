// Regions whose threads leave results in memory of the caller: region and reverse are one where nothing behind the region looks at them.
#include <math.h>
#include <stdio.h>
#include <string.h>
void __enzyme_autodiff(void *, ...);
extern int enzyme_dup, enzyme_const;

enum { N = 37, STEPS = 5 };

#define WALK(s, a, b)                   \
    double s = a;                       \
    for (int k = 0; k < STEPS; k++)     \
        s = sin(s) * (b) + 0.3 * a * s;

#define MAP(name, clauses)                             \
    static void name(double *x, double *out, int n)    \
    {                                                  \
        _Pragma(clauses) for (int i = 0; i < n; i++)   \
        {                                              \
            WALK(s, x[i], x[(i + 3) % n])              \
            out[i] = s;                                \
        }                                              \
    }
MAP(plain, "omp parallel for")
MAP(chunks, "omp parallel for schedule(static, 4)")
MAP(one_by_one, "omp parallel for schedule(static, 1)")
MAP(dynamic, "omp parallel for schedule(dynamic)")
MAP(dynamic_chunks, "omp parallel for schedule(dynamic, 5)")
MAP(chunk_variable, "omp parallel for schedule(dynamic, n / 7)")
MAP(guided, "omp parallel for schedule(guided)")
MAP(two_threads, "omp parallel for num_threads(2) if (n > 3)")

static void updated(double *x, double *out, int n)
{
#pragma omp parallel for schedule(static, 3)
    for (int i = 1; i < n; i++) {
        WALK(s, x[i], 0.5)
        out[i] += s * out[i];
    }
}
/* In the same region the results are read by others, behind a barrier. */
static void passed_on(double *x, double *out, int n)
{
#pragma omp parallel
    {
#pragma omp for
        for (int i = 0; i < n; i++) {
            WALK(s, x[i], 0.5)
            out[i] = s;
        }
#pragma omp for
        for (int i = 0; i < n; i++) {
            WALK(s, out[n - 1 - i], 0.25)
            x[i] = s * out[(i + 1) % n];
        }
    }
}
/* Two loops write the same places, the second one those of other threads. */
static void twice(double *x, double *out, int n)
{
#pragma omp parallel
    {
#pragma omp for
        for (int i = 0; i < n; i++) {
            WALK(s, x[i], 0.5)
            out[i] = s;
        }
#pragma omp for schedule(static, 2)
        for (int i = 0; i < n; i += 2) {
            WALK(s, x[i], 0.75)
            out[n - 1 - i] = s;
        }
    }
}
static void read_behind(double *x, double *out, int n)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        WALK(s, x[i], 0.5)
        out[i] = s;
    }
    for (int i = 1; i < n; i++)
        out[0] += out[i] * out[i];
}
static void written_behind(double *x, double *out, int n)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        WALK(s, x[i], 0.5)
        out[i] = s;
    }
    out[n / 2] = x[1] * x[2];
}
static void with_sum(double *x, double *out, int n)
{
    double total = 0;
#pragma omp parallel for reduction(+ : total) schedule(dynamic, 4)
    for (int i = 0; i < n; i++) {
        WALK(s, x[i], 0.5)
        out[i] = s;
        total += s * s;
    }
    x[0] = total;
}
static void table(double *x, double *out, int n)
{
#pragma omp parallel for collapse(2)
    for (int i = 0; i < n / 6; i++)
        for (int j = 0; j < 6; j++) {
            WALK(s, x[i * 6 + j], x[j])
            out[i * 6 + j] = s;
        }
}
static void by_number(double *x, double *out, int n);
#ifdef _OPENMP
#include <omp.h>
static void by_number(double *x, double *out, int n)
{
#pragma omp parallel
    for (int i = omp_get_thread_num(); i < n; i += omp_get_num_threads()) {
        WALK(s, x[i], 0.5)
        out[i] = s;
    }
}
#else
static void by_number(double *x, double *out, int n) { plain(x, out, n); }
#endif

typedef void function(double *, double *, int);
static double x[2 * N], weights[2 * N], x_bar[2 * N], given[2 * N];

static double value(function *f)
{
    double all[2 * N], sum = 0;
    memcpy(all, x, sizeof all);
    f(all, all + N, N);
    for (int i = 0; i < 2 * N; i++)
        sum += weights[i] * all[i];
    return sum;
}

static int check(const char *name, function *f)
{
    int bad = 0;
    for (int i = 0; i < 2 * N; i++) {
        double at = x[i], h = 1e-6;
        x[i] = at + h;
        double up = value(f);
        x[i] = at - h;
        double low = value(f);
        x[i] = at;
        double numeric = (up - low) / (2 * h);
        if (!(fabs(numeric - x_bar[i]) < 1e-6 * (1 + fabs(numeric))))
            bad = 1, printf("%s, %d: %.9g, differences %.9g\n", name, i, x_bar[i], numeric);
    }
    double all[2 * N];
    memcpy(all, x, sizeof all);
    f(all, all + N, N);
    for (int i = 0; i < 2 * N; i++)
        if (!(fabs(all[i] - given[i]) < 1e-12 * (1 + fabs(all[i]))))
            bad = 1, printf("%s: the result %d is %.17g, not %.17g\n", name, i, given[i], all[i]);
    return bad;
}

#define TRY(f)                                                                                                     \
    do {                                                                                                           \
        memcpy(given, x, sizeof given);                                                                            \
        memcpy(x_bar, weights, sizeof x_bar);                                                                      \
        __enzyme_autodiff((void *)f, enzyme_dup, given, x_bar, enzyme_dup, given + N, x_bar + N, enzyme_const, N); \
        bad |= check(#f, f);                                                                                       \
    } while (0)

int main(void)
{
    int bad = 0;
    for (int i = 0; i < 2 * N; i++) {
        x[i] = 0.8 * sin(1.3 * i + 0.2);
        weights[i] = cos(0.7 * i);
    }
    TRY(plain);
    TRY(chunks);
    TRY(one_by_one);
    TRY(dynamic);
    TRY(dynamic_chunks);
    TRY(chunk_variable);
    TRY(guided);
    TRY(two_threads);
    TRY(updated);
    TRY(passed_on);
    TRY(twice);
    TRY(read_behind);
    TRY(written_behind);
    TRY(with_sum);
    TRY(table);
    TRY(by_number);
    return bad;
}
