/* Calls that give the same in every iteration leave the loop, also from inside other functions, from branches, and where nothing is inlined; in both modes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int enzyme_dup, enzyme_const;
void __enzyme_autodiff(void *, ...);
void __enzyme_fwddiff(void *, ...);

/* With everything in place this is done in no time; else the work is quadratic. */
#ifdef PASSES_OFF
enum { N = 600 };
#else
enum { N = 60000 };
#endif

static double norm(const double *x, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s += x[i] * x[i];
    return sqrt(s);
}

static double deeper(const double *x, int n)
{
    return 1.0 + 2.0 * norm(x, n);
}

/* Recursive, so it stays a call. */
static double pairwise(const double *x, int n)
{
    if (n < 8) {
        double s = 0;
        for (int i = 0; i < n; i++)
            s += x[i];
        return s;
    }
    return pairwise(x, n / 2) + pairwise(x + n / 2, n - n / 2);
}

static float norm_of_floats(const float *x, int n)
{
    float s = 0;
    for (int i = 0; i < n; i++)
        s += x[i] * x[i];
    return sqrtf(s);
}

static void plain(const double *x, double *y, int n)
{
    for (int i = 0; i < n; i++)
        y[i] = x[i] / norm(x, n);
}

static void nested(const double *x, double *y, int n)
{
    for (int i = 0; i < n; i++)
        y[i] = x[i] / deeper(x, n);
}

static void recursive(const double *x, double *y, int n)
{
    for (int i = 0; i < n; i++)
        y[i] = x[i] / pairwise(x, n);
}

static void chosen(const double *x, double *y, int n)
{
    for (int i = 0; i < n; i++) {
        y[i] = x[i];
        if (x[i] > 0.5)
            y[i] /= norm(x, n);
    }
}

/* It is NULL. */
static const double *nowhere;

static void never(const double *x, double *y, int n)
{
    for (int i = 0; i < n; i++) {
        y[i] = 3.0 * x[i];
        if (x[i] > 500)
            y[i] /= norm(nowhere, n);
    }
}

static int scaled = 1;

static void flagged(const double *x, double *y, int n)
{
    for (int i = 0; i < n; i++)
        if (scaled)
            y[i] = x[i] / deeper(x, n);
        else
            y[i] = x[i] * norm(x, n);
}

static void twice(const double *x, double *y, int n)
{
    for (int i = 0; i < n; i++)
        y[i] = x[i] * norm(x, n) + deeper(x, n) / norm(x, n);
}

static void floats(const float *x, float *y, int n)
{
    for (int i = 0; i < n; i++)
        y[i] = x[i] / norm_of_floats(x, n);
}

static double x[N], y[N], x_bar[N], y_bar[N], x_dot[N], y_dot[N];

#define CHECK(F) \
    do { \
        double sum = 0, other = 0, seconds; \
        for (int i = 0; i < N; i++) { \
            x[i] = sin(i) + 0.1; \
            x_bar[i] = 0; \
            x_dot[i] = cos(2.0 * i); \
            y_bar[i] = cos(3.0 * i); \
        } \
        clock_t begin = clock(); \
        __enzyme_autodiff((void *)F, enzyme_dup, x, x_bar, enzyme_dup, y, y_bar, enzyme_const, N); \
        __enzyme_fwddiff((void *)F, enzyme_dup, x, x_dot, enzyme_dup, y, y_dot, enzyme_const, N); \
        seconds = (double)(clock() - begin) / CLOCKS_PER_SEC; \
        for (int i = 0; i < N; i++) { \
            sum += y_dot[i] * cos(3.0 * i); \
            other += x_bar[i] * x_dot[i]; \
        } \
        if (!(fabs(sum - other) <= 1e-9 * fabs(sum)) || sum == 0) { \
            printf("%s: %.15g, not %.15g\n", #F, other, sum); \
            return 1; \
        } \
        if (seconds > 2) { \
            printf("%s: took %g seconds\n", #F, seconds); \
            return 1; \
        } \
    } while (0)

/* Against differences, for few elements. */
#define DIFFERENCES(F) \
    do { \
        enum { FEW = 9 }; \
        double at[FEW], bar[FEW], out[FEW], out_bar[FEW]; \
        for (int i = 0; i < FEW; i++) { \
            at[i] = 0.4 + sin(i); \
            bar[i] = 0; \
            out_bar[i] = i + 1; \
        } \
        __enzyme_autodiff((void *)F, enzyme_dup, at, bar, enzyme_dup, out, out_bar, enzyme_const, FEW); \
        for (int i = 0; i < FEW; i++) { \
            double d[2], h = 1e-6, was = at[i]; \
            for (int k = 0; k < 2; k++) { \
                at[i] = was + (k ? -h : h); \
                F(at, out, FEW); \
                d[k] = 0; \
                for (int j = 0; j < FEW; j++) \
                    d[k] += out[j] * (j + 1); \
            } \
            at[i] = was; \
            double want = (d[0] - d[1]) / (2 * h); \
            if (!(fabs(bar[i] - want) <= 1e-7 * (1 + fabs(want)))) { \
                printf("%s: d/dx[%d] is %.12g, not %.12g\n", #F, i, bar[i], want); \
                return 1; \
            } \
        } \
    } while (0)

int main(int argc, char **argv)
{
    nowhere = argc > 100 ? (const double *)argv : NULL;
    static float fx[N], fy[N], fx_bar[N], fy_bar[N];
    DIFFERENCES(plain);
    DIFFERENCES(nested);
    DIFFERENCES(recursive);
    DIFFERENCES(chosen);
    DIFFERENCES(never);
    DIFFERENCES(flagged);
    DIFFERENCES(twice);
    CHECK(plain);
    CHECK(nested);
    CHECK(recursive);
    CHECK(chosen);
    CHECK(never);
    CHECK(flagged);
    CHECK(twice);
    for (int i = 0; i < N; i++) {
        fx[i] = 1;
        fy_bar[i] = i == 0;
    }
    clock_t begin = clock();
    __enzyme_autodiff((void *)floats, enzyme_dup, fx, fx_bar, enzyme_dup, fy, fy_bar, enzyme_const, N);
    if ((double)(clock() - begin) / CLOCKS_PER_SEC > 2 || !(fabs(fx_bar[0] * sqrt(N) - (1 - 1.0 / N)) < 1e-4)) {
        printf("floats: %g\n", fx_bar[0] * sqrt(N));
        return 1;
    }
    return 0;
}
