// Structs passed, returned and assigned by value, small and large.
#include "../check.h"

typedef struct { double x, y; } vec2;
typedef struct { double x, y, z; } vec3;
typedef struct { float a; int b; } mixed;
typedef struct { char tag; } tiny;
typedef struct { int v[20]; } big;
typedef struct { vec2 from, to; mixed m; } segment;

static vec2 add2(vec2 a, vec2 b) { return (vec2){a.x + b.x, a.y + b.y}; }
static vec3 cross(vec3 a, vec3 b)
{
    vec3 r;
    r.x = a.y * b.z - a.z * b.y;
    r.y = a.z * b.x - a.x * b.z;
    r.z = a.x * b.y - a.y * b.x;
    return r;
}
static mixed bump(mixed m) { m.a *= 2; m.b++; return m; }
static tiny next(tiny t) { t.tag++; return t; }
static big reverse(big in)
{
    big out;
    for (int i = 0; i < 20; i++)
        out.v[i] = in.v[19 - i];
    in.v[0] = -1; // the caller's copy stays
    return out;
}
static segment shift(segment s, vec2 by)
{
    s.from = add2(s.from, by);
    s.to = add2(s.to, by);
    s.m = bump(s.m);
    return s;
}

int main(void)
{
    vec3 c = cross((vec3){1, 2, 3}, (vec3){4, 5, 6});
    CHECK(c.x == -3 && c.y == 6 && c.z == -3);
    CHECK(add2(add2((vec2){1, 2}, (vec2){3, 4}), (vec2){5, 6}).y == 12);
    mixed m = {1.5f, 7}, n = bump(m);
    CHECK(m.b == 7 && n.b == 8 && n.a == 3.0f && bump(n).a == 6.0f);
    CHECK(next(next((tiny){'a'})).tag == 'c');
    big b;
    for (int i = 0; i < 20; i++)
        b.v[i] = i * i;
    big r = reverse(b), copy = b;
    CHECK(r.v[0] == 361 && b.v[0] == 0 && reverse(r).v[3] == 9);
    copy.v[5] = 0;
    CHECK(b.v[5] == 25);
    b = copy = r;
    CHECK(b.v[0] == 361 && copy.v[19] == 0);
    segment s = shift((segment){{0, 0}, {1, 1}, {0.5f, 1}}, (vec2){10, 20});
    printf("%g %g %g %g %g %d\n", s.from.x, s.from.y, s.to.x, s.to.y, s.m.a, s.m.b);
    return check_done();
}
