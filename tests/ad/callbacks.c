// Calls through pointers: callbacks with a context, tables, members of structs, library functions, pointers that are cast.
#include "check.h"

typedef double (*integrand)(double, void *);

static double simpson(integrand f, void *context, double a, double b, double fa, double fm, double fb, double whole, int depth)
{
    double m = (a + b) / 2, lm = (a + m) / 2, rm = (m + b) / 2;
    double flm = f(lm, context), frm = f(rm, context);
    double left = (m - a) / 6 * (fa + 4 * flm + fm), right = (b - m) / 6 * (fm + 4 * frm + fb);
    double delta = left + right - whole;
    if (depth <= 0 || fabs(delta) <= 1e-5)
        return left + right + delta / 15;
    return simpson(f, context, a, m, fa, flm, fm, left, depth - 1) + simpson(f, context, m, b, fm, frm, fb, right, depth - 1);
}
static double integrate(integrand f, void *context, double a, double b)
{
    double fa = f(a, context), fb = f(b, context), fm = f((a + b) / 2, context);
    return simpson(f, context, a, b, fa, fm, fb, (b - a) / 6 * (fa + 4 * fm + fb), 3);
}

struct coefficients {
    int n;
    double *c;
};
static double polynomial(double t, void *context)
{
    struct coefficients *p = context;
    double s = 0;
    for (int i = p->n - 1; i >= 0; i--)
        s = s * t + p->c[i];
    return s;
}
static double bump(double t, void *context)
{
    double *w = context;
    return exp(-w[0] * t * t) * sin(w[1] * t);
}
static double quadrature(double *x, int n)
{
    struct coefficients p = {n, x};
    return integrate(polynomial, &p, 0, 1.5) * integrate(bump, x + 1, -1, 2);
}
GRADIENT(quadrature)

struct shape {
    double (*area)(const struct shape *);
    double (*length)(const struct shape *);
    double a, b;
};
static double square_area(const struct shape *s)
{
    return s->a * s->a;
}
static double square_length(const struct shape *s)
{
    return 4 * s->a;
}
static double ellipse_area(const struct shape *s)
{
    return 3.14 * s->a * s->b;
}
static double ellipse_length(const struct shape *s)
{
    return sqrt(s->a * s->a + s->b * s->b) + s->area(s);
}
static double virtual(double *x, int n)
{
    struct shape s[64];
    double total = 0;
    for (int i = 0; i < n; i++) {
        s[i].area = i % 3 ? ellipse_area : square_area;
        s[i].length = i % 3 ? ellipse_length : square_length;
        s[i].a = x[i];
        s[i].b = x[(i + 1) % n] * x[i];
    }
    for (int i = 0; i < n; i++)
        total += s[i].area(&s[i]) * s[i].length(&s[i]);
    return total;
}
GRADIENT(virtual)

static double cube(double t)
{
    return t * t * t;
}
static double (*table[])(double) = {sin, tanh, cube, exp};
static double (*const fixed[2])(double) = {cube, sqrt};
static double tabulated(double *x, int n)
{
    double s = fixed[0](x[0]) + fixed[1](x[1]);
    for (int i = 0; i < n; i++)
        s += table[i % 4](x[i]) * (i + 1);
    return s;
}
GRADIENT(tabulated)

static void add(double *to, double v)
{
    *to += v * v;
}
static void multiply(double *to, double v)
{
    *to *= 1 + 0.1 * v;
}
static void apply(void (*what)(void), double *to, const double *x, int n)
{
    void (*f)(double *, double) = (void (*)(double *, double))what;
    for (int i = 0; i < n; i++)
        f(to, x[i]);
}
static double cast(double *x, int n)
{
    double s = 0.5;
    apply((void (*)(void))add, &s, x, n);
    apply((void (*)(void))multiply, &s, x, n);
    return s;
}
GRADIENT(cast)

// A function chosen at run time and returned by a function; a callback that calls back.
typedef double (*unary)(double);
static unary choose(int k)
{
    switch (k) {
    case 0:
        return sin;
    case 1:
        return cube;
    default:
        return cos;
    }
}
static double twice(double (*f)(double), double t)
{
    return f(f(t));
}
static double chosen(double *x, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s += twice(choose(i % 3), x[i]);
    return s;
}
GRADIENT(chosen)

struct vec {
    double x, y;
};
typedef struct vec (*field)(struct vec, double);
static struct vec spin(struct vec p, double t)
{
    struct vec v = {-p.y * t, p.x};
    return v;
}
static struct vec decay(struct vec p, double t)
{
    return (struct vec){-p.x * p.x, -t * p.y};
}
static struct vec step(field f, struct vec p, double h)
{
    struct vec k = f(p, 1 + h);
    return (struct vec){p.x + h * k.x, p.y + h * k.y};
}
static double flow(double *x, int n)
{
    struct vec p = {x[0], x[1]};
    for (int i = 2; i < n; i++)
        p = step(i % 2 ? spin : decay, p, 0.1 * x[i]);
    return p.x * p.y;
}
GRADIENT(flow)

int main(void)
{
    int bad = 0;
    bad |= CHECK(quadrature, 4);
    bad |= CHECK(virtual, 7);
    bad |= CHECK(tabulated, 8);
    bad |= CHECK(cast, 5);
    bad |= CHECK(chosen, 6);
    bad |= CHECK(flow, 8);
    return bad;
}
