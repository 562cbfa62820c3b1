/* Vector forward mode: several tangents at once, scalars, arrays and outputs. */
#include <math.h>
#include <stdio.h>

extern int enzyme_width;
extern int enzyme_dup;
extern int enzyme_const;
typedef struct { double t[3]; } three;
typedef struct { double a, b; } two;
three __enzyme_fwddiff(void *, ...);
two __enzyme_fwddiff2(void *, ...);
void __enzyme_fwddiff_void(void *, ...);

static double f(double x, double y) { return x * x * y + sin(y); }

static double poly(const double *c, int n, double x)
{
    double r = 0;
    for (int i = n - 1; i >= 0; i--)
        r = r * x + c[i];
    return r;
}

static void rotate(const double *in, double angle, double *out)
{
    out[0] = cos(angle) * in[0] - sin(angle) * in[1];
    out[1] = sin(angle) * in[0] + cos(angle) * in[1];
}

int main(void)
{
    two g = __enzyme_fwddiff2((void *)f, enzyme_width, 2, enzyme_dup, 1.5, 1.0, 0.0, enzyme_dup, 0.7, 0.0, 1.0);
    if (!(fabs(g.a - 2 * 1.5 * 0.7) < 1e-14 && fabs(g.b - (2.25 + cos(0.7))) < 1e-14)) {
        printf("f: %g %g\n", g.a, g.b);
        return 1;
    }
    double c[3] = {0.5, -1, 2}, e[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    three p = __enzyme_fwddiff((void *)poly, enzyme_width, 3, enzyme_dup, c, e[0], e[1], e[2], enzyme_const, 3, enzyme_const, 1.7);
    for (int i = 0; i < 3; i++)
        if (!(fabs(p.t[i] - pow(1.7, i)) < 1e-14)) {
            printf("poly %d: %g\n", i, p.t[i]);
            return 1;
        }
    double in[2] = {1, 2}, out[2], t0[2] = {1, 0}, t1[2] = {0, 1}, o0[2], o1[2];
    __enzyme_fwddiff_void((void *)rotate, enzyme_width, 2, enzyme_dup, in, t0, t1, enzyme_dup, 0.3, 0.0, 1.0, enzyme_dup, out, o0, o1);
    double want[4] = {cos(0.3), sin(0.3), -sin(0.3) - out[1], cos(0.3) + out[0]};
    if (!(fabs(o0[0] - want[0]) < 1e-14 && fabs(o0[1] - want[1]) < 1e-14 && fabs(o1[0] - want[2]) < 1e-14 && fabs(o1[1] - want[3]) < 1e-14)) {
        printf("rotate: %g %g %g %g\n", o0[0], o0[1], o1[0], o1[1]);
        return 1;
    }
    return 0;
}
