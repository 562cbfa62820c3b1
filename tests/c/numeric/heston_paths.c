// flags: -lm
// Heston stochastic volatility paths with antithetic variates.
#include "../check.h"
#include <math.h>
#include <stdint.h>

static uint64_t state = 88172645463325252ull;
static double uniform(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return ((state >> 11) + 0.5) / 9007199254740992.0;
}
static void normals(double *a, double *b)
{
    double r = sqrt(-2 * log(uniform())), t = 2 * M_PI * uniform();
    *a = r * cos(t);
    *b = r * sin(t);
}

int main(void)
{
    const double s0 = 100, v0 = 0.04, kappa = 2, theta = 0.05, xi = 0.3, rho = -0.7, r = 0.02, t = 1;
    const int steps = 25, paths = 400;
    double dt = t / steps, payoff = 0, forward = 0;
    for (int p = 0; p < paths; p++) {
        double x[2] = {log(s0), log(s0)}, v[2] = {v0, v0};
        for (int k = 0; k < steps; k++) {
            double z1, z2;
            normals(&z1, &z2);
            z2 = rho * z1 + sqrt(1 - rho * rho) * z2;
            for (int side = 0; side < 2; side++) {
                double sign = side ? -1 : 1, vp = fmax(v[side], 0);
                x[side] += (r - 0.5 * vp) * dt + sqrt(vp * dt) * sign * z1;
                v[side] += kappa * (theta - vp) * dt + xi * sqrt(vp * dt) * sign * z2;
            }
        }
        for (int side = 0; side < 2; side++) {
            payoff += fmax(exp(x[side]) - 100, 0);
            forward += exp(x[side]);
        }
    }
    double price = exp(-r * t) * payoff / (2 * paths);
    forward /= 2 * paths;
    CHECK_NEAR(forward, s0 * exp(r * t), 2);
    CHECK(price > 5 && price < 13);
    printf("%.6f %.6f\n", price, forward);
    return check_done();
}
