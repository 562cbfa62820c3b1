// Classes in C: structs that begin with what they are derived from, tables of functions cast to functions on that, in constants, in variables, set by stores,
// passed on and returned.
#include <math.h>
#include <stdio.h>
#include <string.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
int enzyme_dup, enzyme_const;

typedef struct shape shape;
typedef struct { double left, right; } box;
typedef box (*cache_of)(shape *, double);
typedef double (*area_of)(const shape *);
typedef void (*mover)(shape *, double);
typedef struct {
    int kind;
    cache_of cache;
    area_of area;
    mover move;
} class;
struct shape {
    const class *is;
    box bounds;
};
typedef struct circle { shape base; double radius; } circle;
typedef struct square { shape base; double side; } square;

static box circle_cache(circle *c, double t) { return (box){t - c->radius, t + c->radius * c->radius}; }
static box square_cache(square *s, double t) { return (box){t - s->side * t, t + s->side}; }
static box plain_cache(shape *s, double t) { (void)s; return (box){t, t * t}; }
static double circle_area(const circle *c) { return c->radius * c->radius * 3; }
static double square_area(const square *s) { return s->side * s->side; }
static double plain_area(const shape *s) { return s->bounds.left; }
static void circle_move(circle *c, double t) { c->base.bounds.left += t * c->radius; }
static void square_move(square *s, double t) { s->base.bounds.right *= t + s->side; }
static void plain_move(shape *s, double t) { s->bounds.left *= t; }

static const class circles = {0, (cache_of)circle_cache, (area_of)circle_area, 0};
static class squares = {1, (cache_of)square_cache, (area_of)square_area, plain_move};
static const class plains = {2, plain_cache, plain_area, plain_move};

static double updated(shape *s, double t)
{
    s->bounds = s->is->cache(s, t);
    if (s->is->move)
        s->is->move(s, t);
    return s->bounds.right - s->bounds.left + s->is->area(s);
}

static void for_each(shape **all, int n, mover what, double t)
{
    for (int i = 0; i < n; i++)
        if (all[i]->is->kind == 1)
            what(all[i], t);
}

static mover chosen(int n)
{
    return n > 2 ? (mover)square_move : plain_move;
}

static double total(const double *x, int n)
{
    circle c = {.radius = x[0]};
    square s = {.side = x[1]};
    shape p = {.bounds = {0, 0}};
    class own = circles;
    own.move = (mover)circle_move;
    c.base.is = n > 2 ? &own : &circles;
    s.base.is = &squares;
    p.is = &plains;
    shape *all[3] = {&c.base, &s.base, &p};
    double sum = 0;
    for (int i = 0; i < 3; i++)
        sum += updated(all[i], x[i]) * (i + 1);
    for_each(all, 3, (mover)square_move, x[2]);
    mover last = chosen(n);
    last(&s.base, sum);
    return sum + s.base.bounds.right * s.base.bounds.left;
}

int main(void)
{
    double x[3] = {0.7, 1.3, 0.4};
    int bad = 0;
    for (int n = 2; n < 4; n++) {
        double g[3] = {0};
        __enzyme_autodiff((void *)total, enzyme_dup, x, g, enzyme_const, n);
        for (int i = 0; i < 3; i++) {
            double h = 1e-6, y[3], d[3] = {0};
            memcpy(y, x, sizeof x);
            y[i] = x[i] + h;
            double up = total(y, n);
            y[i] = x[i] - h;
            double slope = (up - total(y, n)) / (2 * h);
            d[i] = 1;
            double t = __enzyme_fwddiff((void *)total, enzyme_dup, x, d, enzyme_const, n);
            if (!(fabs(slope - g[i]) < 1e-6 * (1 + fabs(slope))) || !(fabs(t - g[i]) < 1e-11 * (1 + fabs(t)))) {
                printf("n = %d, %d: %.12g, forward %.12g, difference %.12g\n", n, i, g[i], t, slope);
                bad = 1;
            }
        }
    }
    return bad;
}
