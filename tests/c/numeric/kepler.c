// flags: -lm
// Kepler's equation, orbital elements to state, symplectic orbit.
#include "../check.h"
#include <math.h>

static double eccentric_anomaly(double mean, double e)
{
    double x = e < 0.8 ? mean : M_PI;
    for (int i = 0; i < 50; i++) {
        double d = (x - e * sin(x) - mean) / (1 - e * cos(x));
        x -= d;
        if (fabs(d) < 1e-14)
            break;
    }
    return x;
}
struct orbit { double a, e, inclination, node, argument, mean; };
static void state(const struct orbit *o, double r[3], double v[3])
{
    double x = eccentric_anomaly(o->mean, o->e), s = sqrt(1 - o->e * o->e), n = pow(o->a, -1.5);
    double p[2] = {o->a * (cos(x) - o->e), o->a * s * sin(x)};
    double k = o->a * n / (1 - o->e * cos(x)), q[2] = {-k * sin(x), k * s * cos(x)};
    double cn = cos(o->node), sn = sin(o->node), ca = cos(o->argument), sa = sin(o->argument), ci = cos(o->inclination), si = sin(o->inclination);
    double m[3][2] = {{cn * ca - sn * sa * ci, -cn * sa - sn * ca * ci}, {sn * ca + cn * sa * ci, -sn * sa + cn * ca * ci}, {sa * si, ca * si}};
    for (int i = 0; i < 3; i++) {
        r[i] = m[i][0] * p[0] + m[i][1] * p[1];
        v[i] = m[i][0] * q[0] + m[i][1] * q[1];
    }
}

int main(void)
{
    for (double e = 0; e < 1; e += 0.3)
        for (double m = 0; m < 6; m += 1.5) {
            double x = eccentric_anomaly(m, e);
            CHECK_NEAR(x - e * sin(x), m, 1e-12);
        }
    struct orbit o = {1.5, 0.3, 0.4, 1.0, 0.7, 2.0};
    double r[3], v[3];
    state(&o, r, v);
    double rr = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]), vv = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    CHECK_NEAR(0.5 * vv - 1 / rr, -1 / (2 * o.a), 1e-13);
    printf("%.10f %.10f %.10f\n", r[0], r[1], r[2]);
    double t = 1, h = 0.001;
    int steps = (int)(t / h + 0.5);
    for (int i = 0; i < steps; i++) {
        for (int half = 0; half < 2; half++) {
            double d = pow(r[0] * r[0] + r[1] * r[1] + r[2] * r[2], -1.5);
            for (int k = 0; k < 3; k++)
                v[k] -= 0.5 * h * d * r[k];
            if (half == 0)
                for (int k = 0; k < 3; k++)
                    r[k] += h * v[k];
        }
    }
    o.mean += pow(o.a, -1.5) * t;
    double r2[3], v2[3];
    state(&o, r2, v2);
    for (int k = 0; k < 3; k++)
        CHECK_NEAR(r[k], r2[k], 1e-6);
    return check_done();
}
