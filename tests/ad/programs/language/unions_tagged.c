/* Tagged unions by value and by pointer; numbers stored as int, float or double. */
#include <math.h>
#include <stdio.h>

typedef struct {
    enum { T_INT, T_DOUBLE, T_PAIR } tag;
    union {
        long i;
        double d;
        struct { double re, im; } pair;
    } as;
} value;

extern double __enzyme_autodiff(void *, ...);

static value from_int(long i) { value v = {.tag = T_INT, .as.i = i}; return v; }
static value from_double(double d) { value v; v.tag = T_DOUBLE; v.as.d = d; return v; }
static value from_pair(double re, double im) { return (value){T_PAIR, {.pair = {re, im}}}; }

static double magnitude(const value *v)
{
    switch (v->tag) {
    case T_INT: return (double)v->as.i;
    case T_DOUBLE: return v->as.d;
    case T_PAIR: return sqrt(v->as.pair.re * v->as.pair.re + v->as.pair.im * v->as.pair.im);
    }
    return 0;
}

double mixed(const double *x)
{
    value items[4];
    items[0] = from_int(3);
    items[1] = from_double(x[0] * x[1]);
    items[2] = from_pair(x[1], x[2]);
    items[3] = items[1];
    double s = 1;
    for (int i = 0; i < 4; i++)
        s *= magnitude(&items[i]);
    return s;
}

int main(void)
{
    double x[3] = {0.7, 1.4, -0.9}, g[3] = {0};
    __enzyme_autodiff((void *)mixed, x, g);
    for (int i = 0; i < 3; i++) {
        double k = x[i];
        x[i] = k + 1e-6;
        double a = mixed(x);
        x[i] = k - 1e-6;
        double b = mixed(x);
        x[i] = k;
        if (!(fabs(g[i] - (a - b) / 2e-6) < 1e-7)) {
            printf("x[%d]: %g vs %g\n", i, g[i], (a - b) / 2e-6);
            return 1;
        }
    }
    return 0;
}
