/* GNU habits: statement expressions, typeof, __builtin_expect, always_inline, case ranges, ?: without a middle. */
#include <math.h>
#include <stdio.h>

#define max(a, b) ({ __typeof__(a) _a = (a); __typeof__(b) _b = (b); _a > _b ? _a : _b; })
#define swap(a, b) do { __typeof__(a) _t = (a); (a) = (b); (b) = _t; } while (0)
#define likely(x) __builtin_expect(!!(x), 1)

double __enzyme_autodiff(void *, ...);

static inline __attribute__((always_inline)) double sq(double x) { return x * x; }

double gnu(const double *__restrict__ x, int n)
{
    double best = -1e300, s = 0, a = x[0], b = x[1];
    for (int i = 0; i < n; i++) {
        best = max(best, sq(x[i]));
        if (likely(x[i] > 0))
            s += x[i];
        switch (i) {
        case 0 ... 2: s += 0.5 * sq(x[i]); break;
        case 3: s *= 1.5; /* fall through */
        default: s -= x[i];
        }
        swap(a, b);
        a += x[i];
    }
    int zero = 0;
    return best * s + a / (zero ?: 3) + b * ({ double t = sin(a); t * t; });
}

int main(void)
{
    double x[6] = {0.4, -1.3, 0.9, 0.2, 1.1, -0.6}, g[6] = {0};
    __enzyme_autodiff((void *)gnu, x, g, 6);
    for (int i = 0; i < 6; i++) {
        double k = x[i];
        x[i] = k + 1e-6;
        double p = gnu(x, 6);
        x[i] = k - 1e-6;
        double m = gnu(x, 6);
        x[i] = k;
        if (!(fabs(g[i] - (p - m) / 2e-6) < 1e-7)) {
            printf("x[%d]: %g vs %g\n", i, g[i], (p - m) / 2e-6);
            return 1;
        }
    }
    return 0;
}
