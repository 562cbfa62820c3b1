/* Structs by value that hold floats: active arguments whose derivative is returned as a struct. */
#include <math.h>
#include <stdio.h>

typedef struct { double x, y; } point;
typedef struct { point a; float w; } weighted;
point __enzyme_autodiff(void *, point);
struct mixed { double s; point p; };
struct mixed __enzyme_autodiff_mixed(void *, double, point);
weighted __enzyme_autodiff_w(void *, weighted, int);

static double area(point p) { return p.x * sin(p.y); }
static double affine(double s, point p) { return s * s * p.x + p.y / s; }
static double nested(weighted v, int n)
{
    double r = 1;
    for (int i = 0; i < n; i++)
        r *= v.a.x + v.a.y * v.w;
    return r;
}

int main(void)
{
    point p = {1.5, 0.4}, g = __enzyme_autodiff((void *)area, p);
    if (!(fabs(g.x - sin(0.4)) < 1e-15 && fabs(g.y - 1.5 * cos(0.4)) < 1e-15)) {
        printf("area: %g %g\n", g.x, g.y);
        return 1;
    }
    struct mixed m = __enzyme_autodiff_mixed((void *)affine, 2.0, p);
    if (!(fabs(m.s - (4 * 1.5 - 0.4 / 4)) < 1e-14 && m.p.x == 4 && m.p.y == 0.5)) {
        printf("affine: %g %g %g\n", m.s, m.p.x, m.p.y);
        return 1;
    }
    weighted w = __enzyme_autodiff_w((void *)nested, (weighted){{0.5, 2.0}, 0.25f}, 3);
    if (!(fabs(w.a.x - 3) < 1e-12 && fabs(w.a.y - 0.75) < 1e-12 && fabsf(w.w - 6) < 1e-5f)) {
        printf("nested: %g %g %g\n", w.a.x, w.a.y, w.w);
        return 1;
    }
    return 0;
}
