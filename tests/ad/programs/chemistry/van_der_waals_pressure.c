/* Equation of state variants behind an enum in a struct, virial sum with pow of integers and reals. */
#include <math.h>
#include <stdio.h>

enum model { IDEAL, VDW, REDLICH_KWONG, VIRIAL };
typedef struct { enum model kind; union { struct { double a, b; } cubic; double virial[3]; } u; } gas;

struct state { double t, v; };
struct state __enzyme_autodiff(void *, ...);
int enzyme_out, enzyme_const;

double pressure(const gas *g, double t, double v)
{
    const double R = 8.314;
    switch (g->kind) {
    case IDEAL:
        return R * t / v;
    case VDW:
        return R * t / (v - g->u.cubic.b) - g->u.cubic.a / (v * v);
    case REDLICH_KWONG:
        return R * t / (v - g->u.cubic.b) - g->u.cubic.a / (sqrt(t) * v * (v + g->u.cubic.b));
    case VIRIAL: {
        double z = 1;
        for (int i = 0; i < 3; i++)
            z += g->u.virial[i] / pow(v, i + 1);
        return z * R * t / v;
    }
    }
    return -1;
}

int main(void)
{
    gas all[] = {{.kind = IDEAL}, {VDW, {.cubic = {0.36, 4e-2}}}, {REDLICH_KWONG, {.cubic = {6.5, 3e-2}}}, {VIRIAL, {.virial = {-0.1, 0.02, 0.003}}}};
    for (int i = 0; i < 4; i++) {
        double t = 300, v = 1.7, e = 1e-5;
        struct state d = __enzyme_autodiff((void *)pressure, enzyme_const, &all[i], enzyme_out, t, enzyme_out, v);
        double ft = (pressure(&all[i], t + e, v) - pressure(&all[i], t - e, v)) / (2 * e);
        double fv = (pressure(&all[i], t, v + e) - pressure(&all[i], t, v - e)) / (2 * e);
        if (!(fabs(d.t - ft) < 1e-6 * (1 + fabs(ft)) && fabs(d.v - fv) < 1e-6 * (1 + fabs(fv)))) {
            printf("model %d: (%g %g) vs (%g %g)\n", i, d.t, d.v, ft, fv);
            return 1;
        }
    }
    return 0;
}
