// flags: -lm
// American and European options on a binomial tree, in place.
#include "../check.h"
#include <math.h>

static double tree(double s, double k, double r, double sigma, double t, int n, int american)
{
    double dt = t / n, u = exp(sigma * sqrt(dt)), d = 1 / u, q = (exp(r * dt) - d) / (u - d), df = exp(-r * dt);
    double value[n + 1], asset[n + 1];
    asset[0] = s * pow(d, n);
    for (int i = 1; i <= n; i++)
        asset[i] = asset[i - 1] * u * u;
    for (int i = 0; i <= n; i++)
        value[i] = fmax(k - asset[i], 0);
    for (int step = n - 1; step >= 0; step--)
        for (int i = 0; i <= step; i++) {
            value[i] = df * (q * value[i + 1] + (1 - q) * value[i]);
            asset[i] = asset[i] * u;
            if (american && k - asset[i] > value[i])
                value[i] = k - asset[i];
        }
    return value[0];
}

int main(void)
{
    double european = tree(100, 110, 0.05, 0.3, 1, 200, 0), american = tree(100, 110, 0.05, 0.3, 1, 200, 1);
    double exact = 14.6545; // Black-Scholes put, to four digits
    CHECK_NEAR(european, exact, 0.05);
    CHECK(american > european);
    printf("%.6f %.6f\n", european, american);
    return check_done();
}
