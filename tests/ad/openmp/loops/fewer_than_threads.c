// Loops dealt out on demand with fewer iterations than threads, from zero and from one: what is the same in all iterations is there for whoever runs one.
#include <math.h>
#include <stdio.h>

extern int enzyme_const, enzyme_dup;
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

enum { N = 9, TIMES = 24 };

static double from_zero(const double *x, int n, int m)
{
    double sum = 0.0;
#pragma omp parallel for schedule(dynamic) reduction(+ : sum)
    for (int i = 0; i < m; i++) {
        double scale = exp(x[0]) / (1 + x[1] * x[1]);
        for (int j = 0; j < n; j++)
            sum += sin(x[j] * scale) * (i + 2);
    }
    return sum;
}

static double from_one(const double *x, int n, int m)
{
    double sum = 0.0;
#pragma omp parallel for schedule(dynamic) reduction(+ : sum)
    for (int i = 1; i <= m; i++) {
        double scale = exp(x[0]) / (1 + x[1] * x[1]);
        for (int j = 0; j < n; j++)
            sum += sin(x[j] * scale) * (i + 1);
    }
    return sum;
}

static double in_chunks(const double *x, int n, int m)
{
    double sum = 0.0;
#pragma omp parallel for schedule(guided, 2) reduction(+ : sum)
    for (int i = 3; i < m + 3; i++) {
        double scale = exp(x[0]) / (1 + x[1] * x[1]);
        for (int j = 0; j < n; j++)
            sum += sin(x[j] * scale) * (i - 1);
    }
    return sum;
}

static double serially(const double *x, int n, int m)
{
    double sum = 0.0;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            sum += sin(x[j] * exp(x[0]) / (1 + x[1] * x[1])) * (i + 2);
    return sum;
}

static int failures;

static void check(const char *what, double is, double should)
{
    if (!(fabs(is - should) <= 1e-9 * (1 + fabs(should))) && failures++ < 20)
        printf("%s: %.12g, not %.12g\n", what, is, should);
}

#define CHECK(f, m)                                                                                                                                \
    do {                                                                                                                                            \
        double bar[N] = {0};                                                                                                                        \
        __enzyme_autodiff((void *)f, enzyme_dup, x, bar, enzyme_const, N, enzyme_const, m);                                                         \
        for (int k = 0; k < N; k++)                                                                                                                 \
            check(#f " reverse", bar[k], should[k]);                                                                                                \
        double dot[N] = {0};                                                                                                                        \
        dot[time % 3] = 1.0;                                                                                                                        \
        check(#f " forward", __enzyme_fwddiff((void *)f, enzyme_dup, x, dot, enzyme_const, N, enzyme_const, m), should[time % 3]);                  \
    } while (0)

int main(void)
{
    double x[N];
    for (int i = 0; i < N; i++)
        x[i] = 0.3 + 0.1 * i;
    for (int m = 0; m < 4; m++) {
        double should[N] = {0};
        __enzyme_autodiff((void *)serially, enzyme_dup, x, should, enzyme_const, N, enzyme_const, m);
        for (int time = 0; time < TIMES; time++) {
            CHECK(from_zero, m);
            CHECK(from_one, m);
            CHECK(in_chunks, m);
        }
    }
    return failures != 0;
}
