// Variadic functions over many argument types.
#include "../check.h"
#include <stdarg.h>
#include <string.h>

struct point { double x, y; };
struct wide { long v[4]; };

static double sum(const char *types, ...)
{
    va_list ap;
    va_start(ap, types);
    double s = 0;
    for (; *types; types++)
        switch (*types) {
        case 'i': s += va_arg(ap, int); break;
        case 'u': s += va_arg(ap, unsigned); break;
        case 'l': s += (double)va_arg(ap, long); break;
        case 'q': s += (double)va_arg(ap, unsigned long long); break;
        case 'd': s += va_arg(ap, double); break;
        case 'D': s += (double)va_arg(ap, long double); break;
        case 's': s += (double)strlen(va_arg(ap, const char *)); break;
        case 'p': { struct point p = va_arg(ap, struct point); s += p.x * p.y; break; }
        case 'w': s += (double)va_arg(ap, struct wide).v[3]; break;
        case 'f': s += va_arg(ap, double (*)(double))(3); break;
        case '*': ++*va_arg(ap, int *); break;
        }
    va_end(ap);
    return s;
}
static double half(double x) { return x / 2; }
static int vmax(int n, va_list ap)
{
    int m = va_arg(ap, int);
    while (--n)
        { int v = va_arg(ap, int); if (v > m) m = v; }
    return m;
}
static int max_twice(int n, ...)
{
    va_list a, b;
    va_start(a, n);
    va_copy(b, a);
    int r = vmax(n, a) * 100 + vmax(n - 1, b);
    va_end(a);
    va_end(b);
    return r;
}
static int format(char *out, size_t n, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    int r = vsnprintf(out, n, fmt, ap);
    va_end(ap);
    return r;
}

int main(void)
{
    char c = 5;
    short h = -2;
    float f = 1.5f;
    int touched = 0;
    CHECK(sum("iiid", c, h, (signed char)3, f) == 7.5);
    CHECK(sum("uqlD", 4000000000u, 1ull << 40, -5L, 0.25L) == 4000000000.0 + 1099511627776.0 - 4.75);
    CHECK(sum("spwf*", "four", (struct point){2, 3}, (struct wide){{0, 0, 0, 9}}, half, &touched) == 20.5);
    CHECK(touched == 1);
    CHECK(sum("iiiiiiiiiidddddddddd", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, .5, .5, .5, .5, .5, .5, .5, .5, .5, .5) == 60);
    CHECK(sum("") == 0);
    CHECK(max_twice(4, 3, 9, 2, 11) == 1109);
    char text[32];
    CHECK(format(text, sizeof text, "%s-%03d-%.2f", "id", 7, 2.5) == 11);
    puts(text);
    return check_done();
}
