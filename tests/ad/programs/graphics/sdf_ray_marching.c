/* Sphere tracing of a smooth union of signed distance fields, function pointers in a scene table. */
#include <math.h>
#include <stdio.h>

typedef double (*distance_fn)(const double *p, const double *param);
extern int enzyme_const, enzyme_dup;
double __enzyme_autodiff(void *, ...);

static double sphere(const double *p, const double *s)
{
    double x = p[0] - s[0], y = p[1] - s[1], z = p[2] - s[2];
    return sqrt(x * x + y * y + z * z) - s[3];
}

static double plane(const double *p, const double *s) { return p[1] - s[0] + s[1] * sin(p[0] * s[2]); }

static const struct {
    distance_fn fn;
    int offset;
} scene[] = {{sphere, 0}, {plane, 4}, {NULL, 0}};

static double smooth_min(double a, double b, double k)
{
    double h = fmax(k - fabs(a - b), 0.0) / k;
    return fmin(a, b) - h * h * k * 0.25;
}

static double field(const double *p, const double *params)
{
    double d = 1e3;
    for (int i = 0; scene[i].fn; i++)
        d = smooth_min(d, scene[i].fn(p, params + scene[i].offset), 0.3);
    return d;
}

double march(const double *params)
{
    double t = 0, p[3];
    for (int i = 0; i < 200; i++) {
        p[0] = 0.1 * t;
        p[1] = 1.0 - 0.35 * t;
        p[2] = -3 + 0.9 * t;
        double d = field(p, params);
        if (d < 1e-10)
            break;
        t += 0.8 * d;
    }
    return t;
}

int main(void)
{
    double params[7] = {0.2, 0.1, 0.3, 0.8, -0.5, 0.1, 2.0}, g[7] = {0};
    __enzyme_autodiff((void *)march, enzyme_dup, params, g);
    for (int i = 0; i < 7; i++) {
        double k = params[i];
        params[i] = k + 1e-5;
        double a = march(params);
        params[i] = k - 1e-5;
        double b = march(params);
        params[i] = k;
        if (!(fabs(g[i] - (a - b) / 2e-5) < 1e-4)) {
            printf("parameter %d: %g vs %g\n", i, g[i], (a - b) / 2e-5);
            return 1;
        }
    }
    return 0;
}
