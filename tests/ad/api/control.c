// Calls in every kind of statement.
#include <math.h>
#include <stdio.h>

double __enzyme_autodiff(void *, ...);
static double f(double x) { return x * x * x / 3; }
#define D(x) __enzyme_autodiff((void *)f, (double)(x))
static double back(double x) { return D(x); }
static int kind(double x) {
    switch ((int)D(x)) {
    case 0: return 10;
    case 4: return 14;
    default: return (int)D(x);
    }
}
static int failures;
static void check(const char *what, double got, double want) {
    if (!(fabs(got - want) <= 1e-9 * (1 + fabs(want)))) {
        printf("%s: %.12g, not %.12g\n", what, got, want);
        failures++;
    }
}
int main(void) {
    check("return", back(3), 9);
    check("switch", kind(2), 14), check("default", kind(3), 9);
    double x = 1, s = 0;
    while (D(x) < 20) x++;
    check("while", x, 5);
    do s += D(x); while (--x > 0);
    check("do", s, 55);
    for (double i = D(0); D(i) <= 4; i += D(1)) s -= D(i);
    check("for", s, 50);
    int a[10] = {0};
    a[(int)D(2)] = (int)D(1);
    check("index", a[4], 1);
    if (!D(0)) s = D(2) ? D(3) : D(4);
    else s = -1;
    check("if", s, 9);
    s += D(2), s *= D(2);
    check("compound", s, 52);
    double *p = (double[]){D(1), D(2)};
    check("literal", p[1], 4);
    double vla[(int)D(3)];
    check("length", sizeof vla / sizeof vla[0], 9);
    goto out;
out:
    check("label", (D(1), D(5)), 25);
    return failures;
}
