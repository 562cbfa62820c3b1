/* Loops that walk with pointers: to an end, back to a beginning, in steps, side by side, left early, and of which the pointer is looked at afterwards. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
extern int enzyme_dup, enzyme_const;
typedef struct {
    double m, q[2];
    int tag;
} body;

static double to_end(double *x, int n)
{
    double s = 0;
    for (const double *p = x; p < x + n; p++)
        s += *p * *p * p[0];
    for (const double *p = x, *end = x + n; p != end; ++p)
        s += sin(*p);
    for (const double *p = x + 1; p <= x + n - 1; p += 2)
        s += p[-1] * p[0];
    return s;
}
static double back(double *x, int n)
{
    double s = 0, y[64];
    double *w = y + n;
    for (const double *p = x + n; p > x;)
        *--w = 2 * *--p * x[0];
    for (double *p = y + n - 1; p >= y + 1; --p)
        *p += p[-1] * p[-1];
    for (const double *p = y + n - 2; p >= y; p -= 2)
        s += *p * *p;
    return s;
}
static double side_by_side(double *x, int n)
{
    double *out = malloc((size_t)(2 * n) * sizeof *out), *o = out, s = 0;
    const double *a = x, *end = x + n;
    while (a < end) {
        *o++ = cos(*a);
        *o++ = *a * x[n - 1];
        a++;
    }
    int count = n;
    const double *b = out;
    while (count--)
        s += *b * b[1], b += 2;
    for (int left = n; left > 0; left--, o--)
        s += o[-1] * o[-1];
    s += (double)(o - out) * x[1];
    free(out);
    return s;
}
static double looked_at(double *x, int n)
{
    double y[64], s = 0, *p = y, *q;
    for (const double *r = x; r != x + n; r++)
        *p++ = *r * *r;
    for (q = y; q < p; q++)
        if (*q > 0.9)
            break;
    s = (double)(q - y) * x[0];
    for (double *r = y; r < q; r++)
        s += *r * x[2];
    s += *(p - 1) * *(p - 2);
    return s;
}
static double pairs(double *x, int n)
{
    double e = 0;
    body *all = calloc((size_t)n, sizeof *all);
    const double *from = x;
    for (body *b = all; b < all + n; b++, from++) {
        b->m = *from;
        b->q[(b - all) & 1] = *from * *from;
        b->tag = (int)(b - all) % 3;
    }
    for (body *b = all; b < all + n - 1; b++)
        for (body *c = b + 1; c != all + n; c++) {
            if (b->tag == c->tag)
                continue;
            double d = b->m - c->m;
            e += (b->q[0] + c->q[1]) / (1 + d * d);
        }
    for (body *b = all + 1; b < all + n; b++)
        for (body *c = all; c < b; c++)
            e += c->m * b->q[1] * 0.1;
    free(all);
    return e;
}
static double in_place(double *x, int n)
{
    double y[65];
    memcpy(y, x, (size_t)n * sizeof *y);
    for (int k = 0; k < 3; k++)
        for (double *p = y + 1; p < y + n - 1; p++)
            *p = 0.5 * p[-1] * p[1] + *p;
    for (double *lo = y, *hi = y + n - 1; lo < hi; lo++, hi--) {
        double t = *lo;
        *lo = *hi * x[0];
        *hi = t;
    }
    double s = 0;
    for (double *p = y; p < &y[n]; p++)
        s += *p * (double)(p - y);
    return s;
}
static double rows(double *x, int n)
{
    double m[5][6], s = 0;
    const double *from = x;
    for (double(*row)[6] = m; row < m + 5; row++)
        for (double *p = *row; p < *row + 6; p++) {
            *p = *from;
            if (++from == x + n)
                from = x;
        }
    for (double *p = m[0]; p < m[0] + 30; p += 7)
        s += *p * *p;
    for (double(*row)[6] = m + 4; row != m; row--)
        s += (*row)[2] * row[-1][3];
    return s;
}
static double none(double *x, int n)
{
    double s = x[0] * x[0];
    for (double *p = x + n; p < x; p++)
        s += *p;
    for (double *p = 0, *end = 0; p != end; p++)
        s += *p;
    unsigned zero = (unsigned)n - (unsigned)n;
    while (zero--)
        s *= x[1];
    return s;
}
static const double *skip(const double *p, const double *end)
{
    while (p < end && *p < 0.2)
        p++;
    return p;
}
static double tokens(double *x, int n)
{
    double s = 0;
    const double *end = x + n;
    for (const double *p = skip(x, end); p < end; p = skip(p + 1, end))
        s += *p * *p;
    const double *p = x;
    do
        s += exp(-*p);
    while (++p < end);
    return s;
}

typedef double function(double *x, int n);
typedef void gradient(double *x, double *bar, int n);
typedef double product(double *x, double *t, int n);

static int check(const char *name, function *f, gradient *reverse, product *forward, int n)
{
    double x[40], bar[40] = {0}, t[40], v = 0;
    int failures = 0;
    for (int i = 0; i < n; i++) {
        x[i] = 0.3 + 0.7 * cos(3.0 * i + 1);
        t[i] = sin(i + 1.0);
    }
    reverse(x, bar, n);
    for (int i = 0; i < n; i++) {
        double old = x[i], h = 1e-6, plus, minus;
        x[i] = old + h;
        plus = f(x, n);
        x[i] = old - h;
        minus = f(x, n);
        x[i] = old;
        v += bar[i] * t[i];
        if (!(fabs((plus - minus) / (2 * h) - bar[i]) <= 1e-6 * (1 + fabs(bar[i])))) {
            printf("%s, x[%d]: %g, expected %g\n", name, i, bar[i], (plus - minus) / (2 * h));
            failures++;
        }
    }
    double tangent = forward(x, t, n);
    if (!(fabs(tangent - v) <= 1e-9 * (1 + fabs(v)))) {
        printf("%s: tangent %g, expected %g\n", name, tangent, v);
        failures++;
    }
    return failures;
}
#define CHECKED(f)                                                                                                     \
    static void f##_reverse(double *x, double *bar, int n)                                                             \
    {                                                                                                                  \
        __enzyme_autodiff((void *)f, enzyme_dup, x, bar, enzyme_const, n);                                             \
    }                                                                                                                  \
    static double f##_forward(double *x, double *t, int n)                                                             \
    {                                                                                                                  \
        return __enzyme_fwddiff((void *)f, enzyme_dup, x, t, enzyme_const, n);                                         \
    }
#define CHECK(f, n) check(#f, f, f##_reverse, f##_forward, n)
CHECKED(to_end)
CHECKED(back)
CHECKED(side_by_side)
CHECKED(looked_at)
CHECKED(pairs)
CHECKED(in_place)
CHECKED(rows)
CHECKED(none)
CHECKED(tokens)
int main(void)
{
    int failures = 0;
    for (int n = 4; n < 40; n += 11)
        failures += CHECK(to_end, n) + CHECK(back, n) + CHECK(side_by_side, n) + CHECK(looked_at, n) + CHECK(pairs, n) +
                    CHECK(in_place, n) + CHECK(rows, n) + CHECK(none, n) + CHECK(tokens, n);
    return failures != 0;
}
