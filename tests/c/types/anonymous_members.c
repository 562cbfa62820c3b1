// Anonymous structs and unions, nested several deep.
#include "../check.h"

struct value {
    int type;
    union {
        struct { int a, b; };
        struct { double x; union { float f; int i; }; };
        char raw[16];
    };
    struct { short lo; struct { short mid, hi; }; };
};
typedef union { struct { float x, y, z; }; float v[3]; } vec3;
struct matrix { union { double m[2][2]; struct { double a, b, c, d; }; double flat[4]; }; };

static double determinant(struct matrix m) { return m.a * m.d - m.b * m.c; }

int main(void)
{
    struct value v = {.type = 1, .a = 5, .b = 6, .hi = 3};
    CHECK(v.a == 5 && v.b == 6 && v.hi == 3 && v.lo == 0);
    v.x = 2.5;
    v.i = 0x3f800000;
    CHECK(v.f == 1.0f && v.x == 2.5);
    v.mid = 7;
    struct value *p = &v;
    p->hi += p->mid;
    CHECK(v.hi == 10 && &p->hi - &p->lo == 2);
    vec3 w = {{1, 2, 3}};
    float s = 0;
    for (int i = 0; i < 3; i++)
        s += w.v[i] * w.v[i];
    CHECK(s == 14 && w.z == 3);
    w.v[1] = 9;
    CHECK(w.y == 9);
    struct matrix m = {.m = {{1, 2}, {3, 4}}};
    CHECK(determinant(m) == -2 && m.flat[2] == 3);
    m.flat[3] = 10;
    printf("%.17g %.17g\n", determinant(m), m.m[1][1]);
    return check_done();
}
