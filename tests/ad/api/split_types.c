// The sweeps apart for other signatures: numbers only, no result, pointers returned, two calls in flight, in a loop; records that the function declares in its block.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct taped { void *tape; double value; };
struct taped __enzyme_augmentfwd(void *, ...);
void *__enzyme_augmentfwd_tape(void *, ...);
double __enzyme_reverse(void *, ...);
void __enzyme_reverse_void(void *, ...);
struct two { double a, b; };
struct two __enzyme_reverse_two(void *, ...);
extern int enzyme_dup, enzyme_const, enzyme_out;
static double square(double x) { return x * x; }
static double product(double a, double b) { return a * b; }
static void advance(double *x, int n, double h) {
    for (int i = 0; i < n; i++) x[0] += h * sin(x[0]);
}
/* What the sweeps share is a struct at file scope, and holds these. */
static double records(const double *x, int n) {
    enum kind { first, second };
    struct { unsigned odd : 1; enum kind kind; struct { double u, v[2]; }; } a = {.odd = 1, .kind = second, .u = x[0], .v = {x[1], x[2]}};
    typedef struct { _Alignas(32) double w[2]; } aligned;
    struct __attribute__((packed)) { char c; double d; } packed = {2, x[0]};
    struct node { double value; struct node *next; } *list = 0;
    aligned b = {{x[1], x[0]}};
    for (int i = 0; i < n; i++) {
        struct node *node = malloc(sizeof *node);
        node->value = sin(a.v[i % 2]), node->next = list, list = node;
        advance(a.v, 2, a.kind), advance(b.w, 1 + a.odd, 0.5);
        packed.d = cos(packed.d) * packed.c;
    }
    double s = a.u * a.v[0] * b.w[0] + packed.d;
    while (list) {
        struct node *next = list->next;
        s = s * list->value + b.w[1];
        free(list), list = next;
    }
    return s;
}
static double nested(const double *x, int n) {
    struct pair { double v[2]; } a = {{x[0], x[n - 1]}};
    if (n < 2) return a.v[0];
    advance(a.v, n, 0.1);
    return a.v[0] * a.v[1] + nested(x + 1, n - 1) * x[0];
}
static int failures;
static void check(const char *what, double got, double want) {
    if (!(fabs(got - want) <= 1e-9 * (1 + fabs(want)))) {
        printf("%s: %.12g, not %.12g\n", what, got, want);
        failures++;
    }
}
int main(void) {
    struct taped a = __enzyme_augmentfwd((void *)square, 3.0), b = __enzyme_augmentfwd((void *)square, 5.0);
    check("a", a.value, 9), check("b", b.value, 25);
    check("da", __enzyme_reverse((void *)square, 3.0, 1.0, a.tape), 6);
    check("db", __enzyme_reverse((void *)square, 5.0, 2.0, b.tape), 20);
    void *t = __enzyme_augmentfwd_tape((void *)product, 3.0, 4.0);
    struct two g = __enzyme_reverse_two((void *)product, 3.0, 4.0, 1.0, t);
    check("two", g.a, 4), check("two", g.b, 3);
    double x[1] = {0.5}, d[1] = {1}, y = 0.5, dy = 1;
    void *tapes[4];
    for (int k = 0; k < 4; k++) tapes[k] = __enzyme_augmentfwd_tape((void *)advance, enzyme_dup, x, d, enzyme_const, 3, enzyme_const, 0.1);
    for (int k = 3; k >= 0; k--) __enzyme_reverse_void((void *)advance, enzyme_dup, x, d, enzyme_const, 3, enzyme_const, 0.1, tapes[k]);
    for (int k = 0; k < 12; k++) dy *= 1 + 0.1 * cos(y), y += 0.1 * sin(y);
    check("steps", d[0], dy), check("value", x[0], y);
    double z[3] = {0.4, 1.1, 0.7}, dz[3] = {0}, ez[3] = {0};
    t = __enzyme_augmentfwd_tape((void *)records, enzyme_dup, z, dz, enzyme_const, 3);
    __enzyme_reverse_void((void *)records, enzyme_dup, z, dz, enzyme_const, 3, 1.0, t);
    t = __enzyme_augmentfwd_tape((void *)nested, enzyme_dup, z, ez, enzyme_const, 3);
    __enzyme_reverse_void((void *)nested, enzyme_dup, z, ez, enzyme_const, 3, 1.0, t);
    for (int i = 0; i < 3; i++) {
        double h = 1e-3, at = z[i], r[2], s[2];
        for (int k = 0; k < 2; k++) z[i] = at + (k ? -h : h), r[k] = records(z, 3), s[k] = nested(z, 3);
        z[i] = at;
        if (!(fabs((r[0] - r[1]) / (2 * h) - dz[i]) < 1e-4 && fabs((s[0] - s[1]) / (2 * h) - ez[i]) < 1e-4)) {
            printf("records: %g and %g, not %g and %g\n", dz[i], ez[i], (r[0] - r[1]) / (2 * h), (s[0] - s[1]) / (2 * h));
            failures++;
        }
    }
    return failures;
}
