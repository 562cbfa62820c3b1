// A wave in two dimensions with threads in the time loop, checkpointed.
// needs: mem2reg
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

extern int enzyme_dup, enzyme_const;
double __enzyme_autodiff(void *, ...);

#define WAVE(NAME, PRAGMA)                                                      \
    static double NAME(const double *start, const double *speed, int n, int steps) \
    {                                                                           \
        double *before = calloc(n * n, sizeof(double)), *now = calloc(n * n, sizeof(double)), *next = calloc(n * n, sizeof(double)), sum = 0; \
        for (int i = 0; i < n * n; i++)                                         \
            before[i] = now[i] = start[i];                                      \
        PRAGMA                                                                  \
        for (int t = 0; t < steps; t++) {                                       \
            double *oldest = before, energy = 0;                                \
            _Pragma("omp parallel for reduction(+ : energy)")                   \
            for (int i = 1; i < n - 1; i++)                                     \
                for (int j = 1; j < n - 1; j++) {                               \
                    int at = i * n + j;                                         \
                    next[at] = 2 * now[at] - before[at]                         \
                        + speed[at] * (now[at - n] + now[at + n] + now[at - 1] + now[at + 1] - 4 * now[at]); \
                    energy += next[at] * next[at];                              \
                }                                                               \
            sum += energy / (1 + t);                                            \
            before = now;                                                       \
            now = next;                                                         \
            next = oldest;                                                      \
        }                                                                       \
        for (int i = 0; i < n * n; i++)                                         \
            sum += now[i] * now[i] * (i % 3);                                   \
        free(before);                                                           \
        free(now);                                                              \
        free(next);                                                             \
        return sum;                                                             \
    }

WAVE(plain, )
WAVE(root, _Pragma("adjoin checkpoint"))
WAVE(every, _Pragma("adjoin checkpoint every(3)"))
WAVE(binomial, _Pragma("adjoin checkpoint binomial(3)"))

enum { N = 9 };

static int differ(const char *name, int steps, const double *a, const double *b)
{
    for (int i = 0; i < 2 * N * N; i++)
        if (fabs(a[i] - b[i]) > 1e-10 * (1 + fabs(a[i]))) {
            printf("%s, %d steps: %d: %.17g, not %.17g\n", name, steps, i, b[i], a[i]);
            return 1;
        }
    return 0;
}

int main(void)
{
    static const int steps[] = {0, 1, 2, 3, 7, 30};
    double start[N * N], speed[N * N];
    int wrong = 0;
    for (int i = 0; i < N * N; i++) {
        start[i] = sin(1.0 + i);
        speed[i] = 0.1 + 0.001 * i;
    }
    for (int k = 0; k < 6; k++) {
        double expected[2 * N * N] = {0}, got[2 * N * N];
#define CHECK(NAME, OUT)                                                        \
    for (int i = 0; i < 2 * N * N; i++)                                         \
        OUT[i] = 0;                                                             \
    __enzyme_autodiff((void *)NAME, enzyme_dup, start, OUT, enzyme_dup, speed, OUT + N * N, N, steps[k]);
        CHECK(plain, expected)
        CHECK(root, got)
        wrong += differ("root", steps[k], expected, got);
        CHECK(every, got)
        wrong += differ("every", steps[k], expected, got);
        CHECK(binomial, got)
        wrong += differ("binomial", steps[k], expected, got);
    }
    return wrong != 0;
}
