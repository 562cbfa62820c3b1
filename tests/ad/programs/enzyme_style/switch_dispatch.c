/* Switches with fall-through, default in the middle, nested switches, in loops; each case changes memory. */
#include <math.h>
#include <stdio.h>

double __enzyme_autodiff(void *, ...);
extern int enzyme_const;

static double program(const double *x, const char *script)
{
    double a = x[0], b = x[1], m[2] = {0, 1};
    for (; *script; script++) {
        switch (*script) {
        case 'a':
            a *= b;
            break;
        case 'm':
            m[0] += a;
            /* fall through */
        case 'n':
            m[1] *= b + 0.1;
            /* fall through */
        default:
            b += 0.01 * m[0];
            break;
        case 's':
            switch (script[1]) {
            case 'i': a = sin(a); break;
            case 'q': a = a * a; break;
            }
            break;
        case 'x': {
            double t = a;
            a = b;
            b = t;
            continue;
        }
        }
        m[0] += 0.001 * b;
    }
    return a + b * m[0] + m[1];
}

int main(void)
{
    const char *scripts[] = {"a", "mmna", "sixsqxmnz", "amxmsiaaxmnnsq", ""};
    for (int k = 0; k < 5; k++) {
        double x[2] = {0.9, 1.2}, g[2] = {0};
        __enzyme_autodiff((void *)program, x, g, enzyme_const, scripts[k]);
        for (int i = 0; i < 2; i++) {
            double keep = x[i];
            x[i] = keep + 1e-6;
            double p = program(x, scripts[k]);
            x[i] = keep - 1e-6;
            double m = program(x, scripts[k]);
            x[i] = keep;
            if (!(fabs(g[i] - (p - m) / 2e-6) < 1e-7)) {
                printf("\"%s\", x[%d]: %g vs %g\n", scripts[k], i, g[i], (p - m) / 2e-6);
                return 1;
            }
        }
    }
    return 0;
}
