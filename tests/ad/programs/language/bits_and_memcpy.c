/* Float bits that travel through memcpy, byte buffers and unions without arithmetic keep their derivative. */
// needs: inline
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

double __enzyme_autodiff(void *, ...);

typedef struct { unsigned char raw[24]; } message;

static message pack(double a, double b, double c)
{
    message m;
    memcpy(m.raw, &a, 8);
    memcpy(m.raw + 8, &b, 8);
    memcpy(m.raw + 16, &c, 8);
    return m;
}

static double unpack(const message *m, int i)
{
    double v;
    memcpy(&v, m->raw + 8 * i, sizeof v);
    return v;
}

double through(const double *x)
{
    message m = pack(x[0], x[1] * x[0], sin(x[2])), copy;
    copy = m;
    return unpack(&copy, 0) * unpack(&copy, 1) + unpack(&copy, 2);
}

int main(void)
{
    double x[3] = {1.5, -0.4, 0.8}, g[3] = {0};
    __enzyme_autodiff((void *)through, x, g);
    double want[3] = {2 * x[0] * x[1], x[0] * x[0], cos(x[2])};
    for (int i = 0; i < 3; i++)
        if (!(fabs(g[i] - want[i]) < 1e-14)) {
            printf("x[%d]: %g vs %g\n", i, g[i], want[i]);
            return 1;
        }
    return 0;
}
