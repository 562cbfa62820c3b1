/* Asian option by Monte Carlo: a generator per path, so the result does not depend on the team */
#include <math.h>
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
static uint64_t mix(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}
static double uniform(uint64_t *state) { return ((double)(mix(state) >> 11) + 0.5) / 9007199254740992.0; }
static double normal(uint64_t *state)
{
    double a = uniform(state), b = uniform(state);
    return sqrt(-2 * log(a)) * cos(2 * M_PI * b);
}
static double asian(double spot, double rate, double sigma, int paths)
{
    double sum = 0;
    const int steps = 12;
    const double dt = 1.0 / steps;
    #pragma omp parallel for reduction(+:sum) schedule(dynamic, 16)
    for (int p = 0; p < paths; p++) {
        uint64_t state = 1234 + 77 * (uint64_t)p;
        double s = spot, mean = 0;
        for (int k = 0; k < steps; k++) {
            s *= exp((rate - 0.5 * sigma * sigma) * dt + sigma * sqrt(dt) * normal(&state));
            mean += s / steps;
        }
        double pay = mean - 100;
        if (pay > 0) sum += pay;
    }
    return exp(-rate) * sum / paths;
}
typedef struct { double spot, rate, sigma; } greeks;
greeks __enzyme_autodiff(void *, ...);
int enzyme_out, enzyme_const;
int main(void)
{
    int paths = 400, bad = 0;
    greeks g = __enzyme_autodiff((void *)asian, enzyme_out, 100.0, enzyme_out, 0.05, enzyme_out, 0.3, enzyme_const, paths);
    double h = 1e-6;
    double want[3] = {(asian(100 + h, 0.05, 0.3, paths) - asian(100 - h, 0.05, 0.3, paths)) / (2 * h),
                      (asian(100, 0.05 + h, 0.3, paths) - asian(100, 0.05 - h, 0.3, paths)) / (2 * h),
                      (asian(100, 0.05, 0.3 + h, paths) - asian(100, 0.05, 0.3 - h, paths)) / (2 * h)};
    double got[3] = {g.spot, g.rate, g.sigma};
    for (int k = 0; k < 3; k++)
        if (fabs(got[k] - want[k]) > 1e-5 * (1 + fabs(want[k]))) {
            printf("greek %d: %g, not %g\n", k, got[k], want[k]);
            bad = 1;
        }
    return bad;
}
