/* Double pendulum, RK4 with a small vector "library" on arrays in a struct, reverse against forward mode. */
#include <math.h>
#include <stdio.h>

int enzyme_dup;
int enzyme_const;
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

typedef struct {
    double v[4];
} vec4;

static vec4 axpy(double a, vec4 x, vec4 y)
{
    vec4 r;
    for (int i = 0; i < 4; i++)
        r.v[i] = a * x.v[i] + y.v[i];
    return r;
}

static vec4 field(vec4 s, const double *m)
{
    const double g = 9.81, l = 1.0;
    double a = s.v[0], b = s.v[1], wa = s.v[2], wb = s.v[3];
    double d = a - b, den = 2 * m[0] + m[1] - m[1] * cos(2 * d);
    vec4 r;
    r.v[0] = wa;
    r.v[1] = wb;
    r.v[2] = (-g * (2 * m[0] + m[1]) * sin(a) - m[1] * g * sin(a - 2 * b)
              - 2 * sin(d) * m[1] * (wb * wb * l + wa * wa * l * cos(d))) / (l * den);
    r.v[3] = (2 * sin(d) * (wa * wa * l * (m[0] + m[1]) + g * (m[0] + m[1]) * cos(a) + wb * wb * l * m[1] * cos(d))) / (l * den);
    return r;
}

double tip_height(const double *angles, const double *m)
{
    vec4 s = {{angles[0], angles[1], 0.0, 0.0}};
    const double h = 0.005;
    for (int i = 0; i < 100; i++) {
        vec4 k1 = field(s, m);
        vec4 k2 = field(axpy(h / 2, k1, s), m);
        vec4 k3 = field(axpy(h / 2, k2, s), m);
        vec4 k4 = field(axpy(h, k3, s), m);
        s = axpy(h / 6, k1, axpy(h / 3, k2, axpy(h / 3, k3, axpy(h / 6, k4, s))));
    }
    return -cos(s.v[0]) - cos(s.v[1]);
}

int main(void)
{
    double angles[2] = {1.2, 0.7}, m[2] = {1.0, 0.6};
    double da[2] = {0, 0}, dm[2] = {0, 0};
    __enzyme_autodiff((void *)tip_height, enzyme_dup, angles, da, enzyme_dup, m, dm);
    double ta[2] = {0.3, -0.4}, tm[2] = {0.8, 0.1};
    double jv = __enzyme_fwddiff((void *)tip_height, enzyme_dup, angles, ta, enzyme_dup, m, tm);
    double vj = da[0] * ta[0] + da[1] * ta[1] + dm[0] * tm[0] + dm[1] * tm[1];
    if (!(fabs(jv - vj) < 1e-9 * (1 + fabs(jv)))) {
        printf("forward %.12g, reverse %.12g\n", jv, vj);
        return 1;
    }
    double e = 1e-6, up[2] = {angles[0] + e, angles[1]}, down[2] = {angles[0] - e, angles[1]};
    double fd = (tip_height(up, m) - tip_height(down, m)) / (2 * e);
    if (!(fabs(fd - da[0]) < 1e-5 * (1 + fabs(fd)))) {
        printf("reverse %.12g, numerical %.12g\n", da[0], fd);
        return 1;
    }
    return 0;
}
