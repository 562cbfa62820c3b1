// Functions with variable arguments: numbers, pointers, a list that is copied, a message that is formatted.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <math.h>
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
int enzyme_dup, enzyme_const;
struct solver { int code; char text[200]; double last; const double *x; };
static double weighted(int n, ...)
{
    va_list ap; double s = 0, w = 1;
    va_start(ap, n);
    for (int i = 0; i < n; i++) { w += va_arg(ap, int); s += w * pow(va_arg(ap, double), i + 1); }
    va_end(ap);
    return s;
}
static void report(struct solver *m, int code, const char *format, ...)
{
    va_list ap;
    char text[200];
    va_start(ap, format);
    vsnprintf(text, sizeof text, format, ap);
    va_end(ap);
    strcpy(m->text, text);
    m->code = code;
    m->last *= 2;
}
static double largest(const char *kinds, ...)
{
    va_list ap, again; double m = 0;
    va_start(ap, kinds);
    va_copy(again, ap);
    for (; *kinds; kinds++) if (*kinds == 'd') m += va_arg(ap, double); else m += *va_arg(ap, double *);
    m += va_arg(again, double);
    va_end(ap); va_end(again);
    return m;
}
/* The list goes to functions of the program, by value and by address, at one level and two. */
static void take(double *to, int n, va_list *ap) { for (int i = 0; i < n; i++) to[i] = va_arg(*ap, double); }
static double summed(int n, va_list ap) { double s = 0; while (n-- > 0) s += va_arg(ap, double); return s; }
static double through(int n, va_list ap) { double t[2]; for (int i = 0; i < 2; i++) t[i] = va_arg(ap, double); return t[0] * t[1] + summed(n - 2, ap); }
static double total(int n, ...)
{
    va_list ap, again;
    va_start(ap, n);
    va_copy(again, ap);
    double first[1] = {0};
    if (n > 0) take(first, 1, &ap);
    double s = (first[0] + summed(n - (n > 0), ap)) * (n > 2 ? through(n, again) : 1);
    va_end(again); va_end(ap);
    return s;
}
static double obj(const double *x)
{
    struct solver s; double y = x[0] * x[1];
    s.x = x; s.last = x[1] * x[1];
    double r = weighted(3, 1, x[0], 2, x[1], 3, x[0] * x[1]);
    if (r > 0) report(&s, 7, "value %g at %d", r, 3);
    return r * s.last + sin(weighted(1, 4, x[1])) + largest("dpd", x[0] * x[0], &y, x[1] * 3)
        + total(3, x[0] * x[1], exp(x[0]), x[1]) * total(1, x[0]) + total(0);
}
int main(void)
{
    double x[2] = {0.7, 1.3}, d[2] = {0}; int bad = 0;
    __enzyme_autodiff((void *)obj, enzyme_dup, x, d);
    for (int i = 0; i < 2; i++) { double h = 1e-6, q = x[i], e[2] = {i == 0, i == 1}; x[i] = q + h; double u = obj(x); x[i] = q - h; double l = obj(x); x[i] = q; double f = __enzyme_fwddiff((void *)obj, enzyme_dup, x, e); printf("%g %g %g\n", d[i], f, (u - l) / 2 / h); bad += fabs(d[i] - (u - l) / 2 / h) > 1e-6 * fabs(d[i]) || fabs(d[i] - f) > 1e-12 * fabs(d[i]); }
    return bad;
}
