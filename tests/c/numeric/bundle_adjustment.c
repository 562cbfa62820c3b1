// flags: -lm
// Reprojection residuals: Rodrigues rotation, distortion, sum of squares.
#include "../check.h"
#include <math.h>

#define CAMERAS 3
#define POINTS 8
typedef struct { double rotation[3], translation[3], focal, k1, k2; } camera;

static void rodrigues(const double r[3], const double x[3], double out[3])
{
    double theta2 = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
    double cr[3] = {r[1] * x[2] - r[2] * x[1], r[2] * x[0] - r[0] * x[2], r[0] * x[1] - r[1] * x[0]};
    if (theta2 > 1e-12) {
        double theta = sqrt(theta2), c = cos(theta), s = sin(theta) / theta;
        double d = (r[0] * x[0] + r[1] * x[1] + r[2] * x[2]) * (1 - c) / theta2;
        for (int i = 0; i < 3; i++)
            out[i] = x[i] * c + cr[i] * s + r[i] * d;
    } else
        for (int i = 0; i < 3; i++)
            out[i] = x[i] + cr[i];
}
static void project(const camera *c, const double x[3], double out[2])
{
    double p[3];
    rodrigues(c->rotation, x, p);
    for (int i = 0; i < 3; i++)
        p[i] += c->translation[i];
    double u = p[0] / p[2], v = p[1] / p[2], r2 = u * u + v * v, l = c->focal * (1 + r2 * (c->k1 + c->k2 * r2));
    out[0] = l * u;
    out[1] = l * v;
}
static double cost(const camera *c, double x[][3], double observed[][POINTS][2])
{
    double s = 0;
    for (int i = 0; i < CAMERAS; i++)
        for (int j = 0; j < POINTS; j++) {
            double p[2];
            project(&c[i], x[j], p);
            for (int k = 0; k < 2; k++) {
                double e = p[k] - observed[i][j][k];
                s += 0.5 * e * e;
            }
        }
    return s;
}

int main(void)
{
    camera c[CAMERAS];
    double x[POINTS][3], observed[CAMERAS][POINTS][2];
    for (int i = 0; i < CAMERAS; i++)
        c[i] = (camera){{0.1 * i, -0.05 * i, 0.02}, {0.2 * i, 0, 5}, 500, 0.01, -0.001};
    c[0].rotation[2] = 0;
    for (int j = 0; j < POINTS; j++)
        for (int k = 0; k < 3; k++)
            x[j][k] = (j * (k + 3) % 7 - 3) * 0.25;
    for (int i = 0; i < CAMERAS; i++)
        for (int j = 0; j < POINTS; j++)
            project(&c[i], x[j], observed[i][j]);
    CHECK(cost(c, x, observed) == 0);
    x[2][1] += 0.01;
    double before = cost(c, x, observed), eps = 1e-6;
    x[2][1] += eps;
    double after = cost(c, x, observed);
    CHECK(before > 0 && after > before);
    printf("%.8g %.4g\n", before, (after - before) / eps);
    for (int it = 0; it < 30; it++) { // coordinate descent on that one number
        x[2][1] += eps;
        double up = cost(c, x, observed);
        x[2][1] -= 2 * eps;
        double down = cost(c, x, observed);
        x[2][1] += eps;
        double mid = cost(c, x, observed), second = (up - 2 * mid + down) / (eps * eps);
        x[2][1] -= (up - down) / (2 * eps) / second;
    }
    CHECK(cost(c, x, observed) < 1e-8 * before);
    return check_done();
}
