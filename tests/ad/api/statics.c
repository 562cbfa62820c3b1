// Static locals of differentiated functions: constants, tables filled on first use, state that is shared, several in one declaration, sizeof.
#include <math.h>
#include <stdio.h>

extern int enzyme_dup, enzyme_const;
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

static double scaled(double x) {
    static const double k = 2.5;
    return k * x * x;
}
static double polynomial(double x) {
    static const double c[] = {1, 2, 3, 4}, shift = 0.5;
    static int calls = 0;
    double s = 0;
    calls++;
    for (unsigned i = 0; i < sizeof c / sizeof c[0]; i++) s = s * (x + shift) + c[i];
    return s + 0 * calls;
}
static double table(int i, double x) {
    static double t[8];
    static int ready;
    if (!ready) {
        for (int j = 0; j < 8; j++) t[j] = j * 0.5;
        ready = 1;
    }
    return t[i] * x * x;
}
static int count(int more) {
    static int n;
    n += more;
    return n;
}
static double counted(double x) { return count(1) * x; }
static double names(int i, double x) {
    static const char *const list[] = {"one", "two", "three"};
    static const char *const *const first = list;
    return x * x * (first[i][0] == 't' ? 2 : 1);
}
static double records(int i, double x) {
    static const struct { double weight; int sign; } list[] = {{0.5, 1}, {2, -1}};
    static struct memo { double last; struct { int hits; } count; } memo;
    memo.last = list[i].sign;
    memo.count.hits++;
    return list[i].weight * memo.last * x * x;
}
double scaled_k = 7;

static int failures;
static void check(const char *what, double got, double want) {
    if (!(fabs(got - want) <= 1e-9 * (1 + fabs(want)))) {
        printf("%s: %.12g, not %.12g\n", what, got, want);
        failures++;
    }
}

int main(void) {
    double x = 1.5, y = x + 0.5;
    check("constant", __enzyme_autodiff((void *)scaled, x), 5 * x);
    check("primal", scaled(x), 2.5 * x * x);
    check("table of constants", __enzyme_autodiff((void *)polynomial, x), 3 * y * y + 4 * y + 3);
    check("forward", __enzyme_fwddiff((void *)polynomial, x, 1.0), 3 * y * y + 4 * y + 3);
    check("filled on first use", __enzyme_autodiff((void *)table, 3, x), 3 * x);
    check("second use", __enzyme_autodiff((void *)table, 4, x), 4 * x);
    check("primal after it", table(2, x), x * x);
    double a = __enzyme_autodiff((void *)counted, x);
    double b = counted(x);
    double c = __enzyme_autodiff((void *)counted, x);
    check("shared state", a + b / x + c, 1 + 2 + 3);
    check("shared count", count(0), 3);
    check("strings", __enzyme_autodiff((void *)names, 1, x), 4 * x);
    check("structs", __enzyme_autodiff((void *)records, 1, x), -4 * x);
    check("structs", records(0, x), 0.5 * x * x);
    check("other names", scaled_k, 7);
    return failures;
}
