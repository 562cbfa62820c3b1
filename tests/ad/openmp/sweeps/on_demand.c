// Loops whose iterations go to whoever is free, with unequal work: alone in their region, two in one, with a last iteration that counts, and in a region that asks who runs.
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>

extern int enzyme_const, enzyme_dup;
double __enzyme_autodiff(void *, ...);

enum { N = 203 };

static double anomalies(int n, const double *m, const double *e, double *out)
{
    double sum = 0.0;
#pragma omp parallel for schedule(dynamic, 8) reduction(+ : sum)
    for (int i = 0; i < n; i++) {
        double x = m[i];
        for (int k = 0; k < 60; k++) {
            double f = x - e[i] * sin(x) - m[i];
            x -= f / (1 - e[i] * cos(x));
            if (fabs(f) < 1e-13 || k > i % 7)
                break;
        }
        out[i] = x;
        sum += cos(x) * (i % 5);
    }
    return sum;
}

static double triangle(int n, const double *m, const double *e, double *out)
{
    double sum = 0.0;
#pragma omp parallel for schedule(guided) reduction(+ : sum)
    for (int i = 0; i < n; i++) {
        double x = m[i];
        for (int j = 0; j < i; j++)
            x += e[j] * sin(x) / n;
        out[i] = x;
        sum += x * x;
    }
    return sum;
}

/* No thread waits between the two: both read all of the numbers. */
static double both(int n, const double *m, const double *e, double *out)
{
    double sum = 0.0;
#pragma omp parallel reduction(+ : sum)
    {
#pragma omp for schedule(dynamic) nowait
        for (int i = 1; i < n; i++)
            sum += sin(m[i]) * e[i];
#pragma omp for schedule(dynamic) nowait
        for (int i = 1; i < n; i++)
            sum += cos(m[i] * e[i]);
    }
    out[0] = sum;
    return sum;
}

static double last_one(int n, const double *m, const double *e, double *out)
{
    double sum = 0.0, last = 0.0;
#pragma omp parallel for schedule(dynamic, 3) lastprivate(last) reduction(+ : sum)
    for (int i = 0; i < n; i++) {
        last = m[i] * m[i];
        sum += last * e[i];
    }
    out[0] = last;
    return sum * last;
}

/* What it computes: libomp's own last iteration of a dynamic loop is not always the last. */
static double last_of_all(int n, const double *m, const double *e, double *out)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += m[i] * m[i] * e[i];
    out[0] = m[n - 1] * m[n - 1];
    return sum * out[0];
}

static double in_parts(int n, const double *m, const double *e, double *out)
{
    double parts[64] = {0}, sum = 0.0;
#pragma omp parallel num_threads(omp_get_max_threads() < 64 ? omp_get_max_threads() : 64)
    {
        int t = omp_get_thread_num();
#pragma omp for schedule(dynamic, 2)
        for (int i = 0; i < n; i++)
            parts[t] += exp(-m[i] * m[i]) * e[i];
    }
    for (int t = 0; t < 64; t++)
        sum += parts[t];
    out[0] = sum;
    return sum * sum;
}

typedef double function(int, const double *, const double *, double *);

static double m[N], e[N], out[N], m_bar[N], e_bar[N], out_bar[N];
static int failures;

static void check(const char *what, function *f)
{
    for (int k = 0; k < 2 * N; k += 5) {
        double *place = k < N ? &m[k] : &e[k - N], old = *place, is = k < N ? m_bar[k] : e_bar[k - N], h = 1e-6;
        *place = old + h;
        double above = f(N, m, e, out);
        *place = old - h;
        double below = f(N, m, e, out);
        *place = old;
        double should = (above - below) / (2 * h);
        if (!(fabs(is - should) <= 1e-5 * (1 + fabs(should))) && failures++ < 20)
            printf("%s, %d: %.12g, not %.12g\n", what, k, is, should);
    }
}

#define CHECK(f, same)                                                                                                                                \
    memset(m_bar, 0, sizeof m_bar), memset(e_bar, 0, sizeof e_bar), memset(out_bar, 0, sizeof out_bar);                                            \
    __enzyme_autodiff((void *)f, enzyme_const, N, enzyme_dup, m, m_bar, enzyme_dup, e, e_bar, enzyme_dup, out, out_bar);                           \
    check(#f, same)

int main(void)
{
    for (int i = 0; i < N; i++) {
        m[i] = 0.3 + sin(0.9 * i);
        e[i] = 0.4 + 0.3 * cos(1.7 * i);
    }
    CHECK(anomalies, anomalies);
    CHECK(triangle, triangle);
    CHECK(both, both);
    CHECK(last_one, last_of_all);
    CHECK(in_parts, in_parts);
    return failures != 0;
}
