#include <stdio.h>
#include <string.h>
#include <complex.h>
#include <math.h>
#include <stdarg.h>
typedef double real;
typedef struct { real x, y; } point;
struct shape { const char *name; point at; union { int i; double d; } u; unsigned flag : 3, other : 5; struct shape *next; };
static struct shape shapes[2] = { {"one", {1, 2}, {.d = 2.5}, 3, 4, 0}, {"two", {3, 4}, {7}, 1, 2, &shapes[0]} };
enum color { RED, GREEN = 5, BLUE };
static const int table[4] = {1, -2, 3};
static long double ld = 0.1L;
static double (*op)(double) = sqrt;
point add(point a, point b) { point r = {a.x + b.x, a.y + b.y}; return r; }
static double total(int n, ...) { va_list ap; va_start(ap, n); double s = 0; while (n-- > 0) s += va_arg(ap, double); va_end(ap); return s; }
enum color next(enum color c) { return c == RED ? GREEN : BLUE; }
int main(void)
{
    point p = add(shapes[0].at, shapes[1].at);
    printf("%s %g %g %d %d\n", shapes[1].name, p.x, p.y, shapes[0].flag, shapes[1].next->other);
    double complex z = 1.0 + 2.0 * I;
    z = z * z + conj(z);
    printf("%g %g %g\n", creal(z), cimag(z), cabs(z));
    static int calls = 3;
    calls++;
    printf("%d %d %d %Lg %g\n", calls, table[1], next(RED), ld, op(2.0));
    shapes[0].flag = 5; shapes[0].u.i = -1;
    printf("%u %d %g\n", shapes[0].flag, shapes[0].u.i, total(3, 1.0, 2.0, 3.5));
    __int128 w = (__int128)1 << 100; w += 5;
    printf("%llx\n", (unsigned long long)(w >> 64));
    char buf[16] = "abc"; strcat(buf, "def"); puts(buf);
    float f = 1.0f / 3; double d = f; long double l = d;
    printf("%.9g %.9g %d\n", f, d, l == d);
    return 0;
}
