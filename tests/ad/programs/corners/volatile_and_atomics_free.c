/* volatile counters beside active data, register variables, const volatile flags, sizeof tricks, unnamed structs. */
#include <math.h>
#include <stdio.h>

static volatile int ticks;
static const volatile int enabled = 1;
double __enzyme_autodiff(void *, ...);

struct mixed {
    struct { double a, b; };
    union { int code; char bytes[4]; };
    double tail[1];
};

double spin(struct mixed *m, int n)
{
    double s = 0;
    for (register int i = 0; i < n; i++) {
        ticks++;
        if (!enabled)
            break;
        s += m->a * m->b + m->tail[0] * (m->code + i);
        m->a = sin(s);
        m->code ^= 1;
    }
    return s;
}

int main(void)
{
    struct mixed m = {{0.5, 1.2}, {3}, {0.7}}, d = {{0, 0}, {0}, {0}};
    __enzyme_autodiff((void *)spin, &m, &d, 5);
    const double got[3] = {d.a, d.b, d.tail[0]};
    for (int i = 0; i < 3; i++) {
        double r[2];
        for (int side = 0; side < 2; side++) {
            struct mixed t = {{0.5, 1.2}, {3}, {0.7}};
            *(i == 0 ? &t.a : i == 1 ? &t.b : t.tail) += side ? 1e-6 : -1e-6;
            r[side] = spin(&t, 5);
        }
        double fd = (r[1] - r[0]) / 2e-6;
        if (!(fabs(fd - got[i]) < 1e-6 * (1 + fabs(fd)))) {
            printf("member %d: %g vs %g\n", i, got[i], fd);
            return 1;
        }
    }
    return ticks >= 35 ? 0 : 2;
}
