// flags: -lm
// Leap-frog wave equation: standing wave against the exact solution.
#include "../check.h"
#include <math.h>

#define N 65
static double past[N], now[N], future[N];

int main(void)
{
    const double c = 1, dx = 1.0 / (N - 1), dt = 0.5 * dx, r = c * dt / dx, r2 = r * r;
    for (int i = 0; i < N; i++) {
        now[i] = sin(M_PI * i * dx);
        past[i] = now[i] * cos(M_PI * c * dt);
    }
    int steps = 256;
    for (int n = 0; n < steps; n++) {
        for (int i = 1; i < N - 1; i++)
            future[i] = 2 * (1 - r2) * now[i] + r2 * (now[i + 1] + now[i - 1]) - past[i];
        for (int i = 0; i < N; i++) {
            past[i] = now[i];
            now[i] = future[i];
        }
    }
    double t = steps * dt, worst = 0;
    for (int i = 0; i < N; i++)
        worst = fmax(worst, fabs(now[i] - sin(M_PI * i * dx) * cos(M_PI * c * t)));
    printf("%.8f %.8f\n", now[16], worst);
    CHECK(worst < 1e-2);
    return check_done();
}
