// Heat conduction with two buffers that change places, checkpointed in all ways: the gradient is that of the loop without checkpoints.
// needs: mem2reg
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

extern int enzyme_dup, enzyme_const;
double __enzyme_autodiff(void *, ...);

#define HEAT(NAME, PRAGMA)                                                      \
    static double NAME(const double *start, const double *kappa, int n, int steps) \
    {                                                                           \
        double *u = malloc(n * sizeof(double)), *v = malloc(n * sizeof(double)), sum = 0; \
        for (int i = 0; i < n; i++)                                             \
            u[i] = start[i], v[i] = 0;                                          \
        PRAGMA                                                                  \
        for (int t = 0; t < steps; t++) {                                       \
            double *swap;                                                       \
            v[0] = u[0];                                                        \
            v[n - 1] = u[n - 1];                                                \
            for (int i = 1; i < n - 1; i++)                                     \
                v[i] = u[i] + kappa[i] * (1 + 0.1 * u[i] * u[i]) * (u[i - 1] - 2 * u[i] + u[i + 1]); \
            swap = u;                                                           \
            u = v;                                                              \
            v = swap;                                                           \
        }                                                                       \
        for (int i = 0; i < n; i++)                                             \
            sum += u[i] * u[i] * (i + 1);                                       \
        free(u);                                                                \
        free(v);                                                                \
        return sum;                                                             \
    }

HEAT(plain, )
HEAT(root, _Pragma("adjoin checkpoint"))
HEAT(every, _Pragma("adjoin checkpoint every(4)"))
HEAT(binomial, _Pragma("adjoin checkpoint binomial(3)"))
HEAT(single, _Pragma("adjoin checkpoint binomial(1)"))

enum { N = 12 };

static int differ(const char *name, int steps, const double *a, const double *b)
{
    for (int i = 0; i < 2 * N; i++)
        if (fabs(a[i] - b[i]) > 1e-12 * (1 + fabs(a[i]))) {
            printf("%s, %d steps: %d: %.17g, not %.17g\n", name, steps, i, b[i], a[i]);
            return 1;
        }
    return 0;
}

int main(void)
{
    static const int steps[] = {0, 1, 2, 3, 7, 100};
    double start[N], kappa[N];
    int wrong = 0;
    for (int i = 0; i < N; i++) {
        start[i] = sin(1.0 + i);
        kappa[i] = 0.1 + 0.01 * i;
    }
    for (int k = 0; k < 6; k++) {
        double expected[2 * N] = {0}, got[2 * N];
#define CHECK(NAME, OUT)                                                        \
    for (int i = 0; i < 2 * N; i++)                                             \
        OUT[i] = 0;                                                             \
    __enzyme_autodiff((void *)NAME, enzyme_dup, start, OUT, enzyme_dup, kappa, OUT + N, N, steps[k]);
        CHECK(plain, expected)
        CHECK(root, got)
        wrong += differ("root", steps[k], expected, got);
        CHECK(every, got)
        wrong += differ("every", steps[k], expected, got);
        CHECK(binomial, got)
        wrong += differ("binomial", steps[k], expected, got);
        CHECK(single, got)
        wrong += differ("single", steps[k], expected, got);
    }
    return wrong != 0;
}
