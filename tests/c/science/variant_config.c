// flags: -lm
// A variant type with unions, bit-fields and a table of conversions; a tiny configuration language with error codes and cleanup.
#include "../check.h"
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

typedef struct variant {
    unsigned kind : 3, constant : 1;
    signed int scale : 5;
    union { long i; double d; char s[16]; struct { int n; double *at; } v; } as;
} variant;
enum { NONE, INT, REAL, TEXT, VECTOR, KINDS };
typedef int converter(const variant *from, variant *to);

static int int_to_real(const variant *f, variant *t) { t->as.d = ldexp((double)f->as.i, f->scale); t->kind = REAL; return 0; }
static int real_to_int(const variant *f, variant *t)
{
    if (!(fabs(f->as.d) < 1e15))
        return -2;
    t->as.i = (long)f->as.d;
    t->kind = INT;
    return 0;
}
static int text_to_real(const variant *f, variant *t)
{
    char *end;
    double d = strtod(f->as.s, &end);
    if (end == f->as.s || *end)
        return -3;
    t->kind = REAL, t->as.d = d;
    return 0;
}
static int vector_to_real(const variant *f, variant *t)
{
    double s = 0;
    for (int i = 0; i < f->as.v.n; i++)
        s += f->as.v.at[i] * f->as.v.at[i];
    *t = (variant){.kind = REAL, .as.d = sqrt(s)};
    return 0;
}
static converter *const table[KINDS][KINDS] = {
    [INT][REAL] = int_to_real, [REAL][INT] = real_to_int, [TEXT] = {[REAL] = text_to_real}, [VECTOR][REAL] = &vector_to_real,
};
static int convert(variant *v, unsigned kind)
{
    if (v->constant)
        return -1;
    if (v->kind == kind)
        return 0;
    variant out = {0};
    converter *f = table[v->kind][kind];
    int status = f ? f(v, &out) : -9;
    if (status)
        goto done;
    if (v->kind == VECTOR)
        free(v->as.v.at);
    *v = out;
done:
    return status;
}
static variant make(int kind, ...)
{
    variant v = {.kind = (unsigned)kind & 7};
    va_list ap;
    va_start(ap, kind);
    switch (kind) {
    case INT:
        v.as.i = va_arg(ap, long);
        v.scale = va_arg(ap, int);
        break;
    case REAL:
        v.as.d = va_arg(ap, double);
        break;
    case TEXT:
        strncpy(v.as.s, va_arg(ap, const char *), sizeof v.as.s - 1);
        break;
    case VECTOR:
        v.as.v.n = va_arg(ap, int);
        v.as.v.at = malloc(v.as.v.n * sizeof(double));
        for (int i = 0; i < v.as.v.n; i++)
            v.as.v.at[i] = va_arg(ap, double);
    }
    va_end(ap);
    return v;
}
int main(void)
{
    variant v[] = {make(INT, 12L, -3), make(REAL, -2.75), make(TEXT, "6.5e1"), make(TEXT, "6.5x"), make(VECTOR, 2, 3.0, 4.0), make(REAL, 1e300)};
    double sum = 0;
    for (size_t k = 0; k < sizeof v / sizeof *v; k++) {
        int status = convert(&v[k], REAL);
        printf("%zu %d %d\n", k, status, (int)v[k].kind);
        if (!status && v[k].as.d < 1e100)
            sum += v[k].as.d;
    }
    CHECK(sum == 1.5 - 2.75 + 65 + 5);
    CHECK(convert(&v[1], INT) == 0 && v[1].as.i == -2);
    CHECK(convert(&v[5], INT) == -2 && v[5].kind == REAL);
    v[1].constant = 1;
    CHECK(convert(&v[1], REAL) == -1);
    v[1].scale = 15;
    v[1].scale++;
    CHECK(v[1].scale == -16);
    return check_done();
}
