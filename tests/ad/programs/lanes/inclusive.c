// Loops that end with their bound (`i <= n`), around loops whose sums keep their order: they run in lanes as those do that end in front of it. Bounds below the first index, and lengths around that of a strip.
#include <math.h>
#include <stdio.h>
#include <string.h>

extern int enzyme_const, enzyme_dup;
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

enum { MOST = 520, TAPS = 7 };

static double filtered(const double *x, int last)
{
    double y[MOST], sum = 0.0;
    for (int i = 0; i + TAPS <= last + 1; i++) {
        y[i] = 0.0;
        for (int k = 0; k < TAPS; k++)
            y[i] += x[k] * x[i + k];
    }
    for (int i = 0; i + TAPS <= last + 1; i++)
        sum += y[i] > 0 ? y[i] * y[i] : 0.1 * y[i];
    return sum;
}

static double squares(const double *x, int last)
{
    int n = last / 26;
    double sum = 0.0;
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= n; j++) {
            double s = 0.0;
            for (int k = 1; k <= n; k++)
                s += x[i * n + k] * x[k * n + j];
            sum += s * s;
        }
    return sum;
}

static double diffused(const double *x, int last)
{
    double now[MOST + 2] = {0}, next[MOST + 2] = {0};
    for (int i = 0; i <= last; i++)
        now[i] = x[i];
    for (int t = 0; t <= 3; t++) {
        for (int i = 1; i <= last - 1; i++)
            next[i] = now[i] + 0.1 * (now[i - 1] - 2 * now[i] + now[i + 1]) * now[i];
        for (int i = 1; i <= last - 1; i++)
            now[i] = next[i];
    }
    double sum = 0.0;
    for (int i = 0; i <= last; i++)
        sum += now[i] * now[i];
    return sum;
}

static double x[MOST], dx[MOST], e[MOST];

#define CHECK(f)                                                                                  \
    for (size_t s = 0; s < sizeof lasts / sizeof *lasts; s++) {                                   \
        int last = lasts[s];                                                                      \
        memset(dx, 0, sizeof dx);                                                                 \
        __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, last);                      \
        for (int k = 0; k < MOST; k += last < 30 && k < 60 ? 1 : 41) {                            \
            e[k] = 1.0;                                                                           \
            double forward = __enzyme_fwddiff((void *)f, enzyme_dup, x, e, enzyme_const, last);   \
            e[k] = 0.0;                                                                           \
            if (!(fabs(forward - dx[k]) <= 1e-10 * (1 + fabs(forward)))) {                        \
                printf("%s(%d)[%d]: %.17g, not %.17g\n", #f, last, k, dx[k], forward);            \
                failures++;                                                                       \
            }                                                                                     \
        }                                                                                         \
    }

int main(void)
{
    static const int lasts[] = {-1, 0, 1, 6, 7, 29, 255, 256, 257, 262, 515};
    int failures = 0;
    for (int i = 0; i < MOST; i++)
        x[i] = 0.4 + 0.5 * sin(1.7 * i);
    CHECK(filtered)
    CHECK(squares)
    CHECK(diffused)
    return failures != 0;
}
