// flags: -lm
// Adaptive Runge-Kutta-Fehlberg on the Van der Pol oscillator.
#include "../check.h"
#include <math.h>

static int evaluations;
static void vanderpol(const double y[2], double d[2])
{
    evaluations++;
    d[0] = y[1];
    d[1] = 2 * (1 - y[0] * y[0]) * y[1] - y[0];
}

static double attempt(const double y[2], double h, double out[2])
{
    static const double b[6][5] = {
        {0}, {1.0 / 4}, {3.0 / 32, 9.0 / 32}, {1932.0 / 2197, -7200.0 / 2197, 7296.0 / 2197},
        {439.0 / 216, -8, 3680.0 / 513, -845.0 / 4104}, {-8.0 / 27, 2, -3544.0 / 2565, 1859.0 / 4104, -11.0 / 40}};
    static const double c4[6] = {25.0 / 216, 0, 1408.0 / 2565, 2197.0 / 4104, -1.0 / 5, 0};
    static const double c5[6] = {16.0 / 135, 0, 6656.0 / 12825, 28561.0 / 56430, -9.0 / 50, 2.0 / 55};
    double k[6][2], z[2], error = 0;
    for (int s = 0; s < 6; s++) {
        z[0] = y[0];
        z[1] = y[1];
        for (int j = 0; j < s; j++)
            for (int i = 0; i < 2; i++)
                z[i] += h * b[s][j] * k[j][i];
        vanderpol(z, k[s]);
    }
    for (int i = 0; i < 2; i++) {
        double low = y[i], high = y[i];
        for (int s = 0; s < 6; s++) {
            low += h * c4[s] * k[s][i];
            high += h * c5[s] * k[s][i];
        }
        out[i] = high;
        error = fmax(error, fabs(high - low));
    }
    return error;
}

int main(void)
{
    double y[2] = {2, 0}, t = 0, h = 0.1;
    int accepted = 0, rejected = 0;
    while (t < 10) {
        if (t + h > 10)
            h = 10 - t;
        double next[2], error = attempt(y, h, next);
        if (error <= 1e-8) {
            t += h;
            y[0] = next[0];
            y[1] = next[1];
            accepted++;
        } else
            rejected++;
        double factor = error == 0 ? 4 : 0.9 * pow(1e-8 / error, 0.2);
        h *= factor < 0.2 ? 0.2 : factor > 4 ? 4 : factor;
    }
    printf("%d %d %.6f %.6f\n", accepted, rejected, y[0], y[1]);
    CHECK(evaluations == 6 * (accepted + rejected));
    CHECK(fabs(y[0]) < 2.1);
    return check_done();
}
