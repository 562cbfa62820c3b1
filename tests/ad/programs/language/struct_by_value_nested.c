/* Structs by value, nested, with arrays inside, returned from nested calls; an active struct argument is returned as its derivative. */
#include <math.h>
#include <stdio.h>

typedef struct { double c[2]; } column;
typedef struct { column a, b; float gain; int n; } block;

static column scale(column v, double s) { return (column){{v.c[0] * s, v.c[1] * s}}; }
static column plus(column x, column y) { column r = {{x.c[0] + y.c[0], x.c[1] + y.c[1]}}; return r; }
static block advance(block m)
{
    block r = m;
    r.a = plus(scale(m.a, cos(m.b.c[0])), scale(m.b, m.gain));
    r.b = scale(plus(m.a, m.b), 0.5);
    r.n--;
    return r;
}
static double finish(block m) { return m.n > 0 ? finish(advance(m)) : m.a.c[0] * m.b.c[1] - m.a.c[1]; }

double objective(const double *x)
{
    block m = {.a = {{x[0], x[1]}}, .b = {{x[2], x[3]}}, .gain = (float)x[4], .n = 5};
    return finish(m);
}

void __enzyme_autodiff(void *, ...);

int main(void)
{
    double x[5] = {0.3, -0.8, 1.1, 0.6, 0.75}, g[5] = {0};
    __enzyme_autodiff((void *)objective, x, g);
    for (int i = 0; i < 5; i++) {
        double k = x[i], h = i == 4 ? 1.0 / 1024 : 1e-6; /* the gain is rounded to float */
        x[i] = k + h;
        double a = objective(x);
        x[i] = k - h;
        double b = objective(x);
        x[i] = k;
        if (!(fabs(g[i] - (a - b) / (2 * h)) < (i == 4 ? 1e-4 : 1e-6))) {
            printf("x[%d]: %g vs %g\n", i, g[i], (a - b) / (2 * h));
            return 1;
        }
    }
    return 0;
}
