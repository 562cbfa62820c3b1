// Values carried by the loop, a million steps: with snapshots the memory is bounded.
#include <math.h>
#include <stdio.h>
#include <sys/resource.h>

extern int enzyme_dup, enzyme_const;
#if defined __SANITIZE_ADDRESS__
#define SANITIZED 1
#elif defined __has_feature
#define SANITIZED __has_feature(address_sanitizer)
#else
#define SANITIZED 0
#endif

double __enzyme_autodiff(void *, ...);

static double lorenz(const double *p, double h, long steps)
{
    double x = p[0], y = p[1], z = p[2], sum = 0;
#pragma adjoin checkpoint
    for (long t = 0; t < steps; t++) {
        double dx = p[3] * (y - x), dy = x * (p[4] - z) - y, dz = x * y - p[5] * z;
        x += h * dx;
        y += h * dy;
        z += h * dz;
        sum += h * (x * x + y * z);
    }
    return sum + x * y * z;
}

static double binomial(const double *p, double h, long steps)
{
    double x = p[0], y = p[1], z = p[2], sum = 0;
#pragma adjoin checkpoint binomial(20)
    for (long t = 0; t < steps; t++) {
        double dx = p[3] * (y - x), dy = x * (p[4] - z) - y, dz = x * y - p[5] * z;
        x += h * dx;
        y += h * dy;
        z += h * dz;
        sum += h * (x * x + y * z);
    }
    return sum + x * y * z;
}

static int check(const char *name, double (*f)(const double *, double, long), const double *bar, double *p, double h, long steps, double tolerance)
{
    int wrong = 0;
    for (int k = 0; k < 6; k++) {
        double old = p[k], d = 1e-6, up, down, difference;
        p[k] = old + d;
        up = f(p, h, steps);
        p[k] = old - d;
        down = f(p, h, steps);
        p[k] = old;
        difference = (up - down) / (2 * d);
        if (fabs(difference - bar[k]) > tolerance * (1 + fabs(difference))) {
            printf("%s, %ld steps: %d: %.12g, not %.12g\n", name, steps, k, bar[k], difference);
            wrong = 1;
        }
    }
    return wrong;
}

int main(void)
{
    // A stable fixed point attracts everything: derivatives stay moderate for any number of steps.
    double p[6] = {1, 2, 3, 10, 8, 8.0 / 3};
    static const long steps[] = {0, 1, 2, 3, 7, 100, 1000000};
    struct rusage before, after;
    int wrong = 0;
    getrusage(RUSAGE_SELF, &before);
    for (int k = 0; k < 7; k++) {
        double bar[6] = {0};
        __enzyme_autodiff((void *)lorenz, enzyme_dup, p, bar, enzyme_const, 1e-3, steps[k]);
        wrong += check("two levels", lorenz, bar, p, 1e-3, steps[k], 1e-4);
        if (steps[k] <= 100000) {
            double other[6] = {0};
            __enzyme_autodiff((void *)binomial, enzyme_dup, p, other, enzyme_const, 1e-3, steps[k]);
            wrong += check("binomial", binomial, other, p, 1e-3, steps[k], 1e-4);
        }
    }
    getrusage(RUSAGE_SELF, &after);
    // The address sanitizer keeps freed memory for a while.
    if (after.ru_maxrss - before.ru_maxrss > 8000 && !SANITIZED) {
        printf("%ld KiB more\n", after.ru_maxrss - before.ru_maxrss);
        wrong = 1;
    }
    return wrong != 0;
}
