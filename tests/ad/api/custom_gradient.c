// Custom reverse derivatives: without tape, with a tape, with a struct, of functions without a body, in loops, through pointers.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

extern int enzyme_dup, enzyme_const;
double __enzyme_autodiff(void *, ...);
void __enzyme_autodiff_void(void *, ...);

// Numbers by value, the result returned.
static double slope(double x) { return x > 0 ? 3 * x : 0; }
static double slope_forward(double x) { return slope(x); }
static double slope_gradient(double x, double seed) { (void)x; return 10 * seed; }
void *__enzyme_register_gradient_slope[] = {(void *)slope, (void *)slope_forward, (void *)slope_gradient};

// Nothing returned by the forward function.
static float invsqrt(float x) { return 1 / sqrtf(x); }
static void invsqrt_forward(float x) { (void)x; }
static float invsqrt_gradient(float x, float seed) { return -0.5f * seed / (x * sqrtf(x)); }
void *__enzyme_register_gradient_invsqrt[3] = {(void *)invsqrt, (void *)invsqrt_forward, (void *)invsqrt_gradient};

// Memory and a tape.
static void square(double *y, const double *x) { *y = *x * *x; }
static void *square_forward(double *y, double *y_bar, const double *x, double *x_bar) {
    (void)y_bar, (void)x_bar;
    double *tape = malloc(sizeof *tape);
    *tape = *x;
    *y = *x * *x;
    return tape;
}
static void square_gradient(double *y, double *y_bar, const double *x, double *x_bar, void *tape) {
    (void)y, (void)x;
    *x_bar += 2 * *(double *)tape * *y_bar;
    *y_bar = 0;
    free(tape);
}
void *__enzyme_register_gradient_square[] = {(void *)square, (void *)square_forward, (void *)square_gradient};

// A struct of tape and result; two numbers by value, whose adjoints come in a struct.
struct taped { double *tape; double result; };
struct two { double a, b; };
static double product(double a, double b, const double *w) { return a * b * w[0]; }
static struct taped product_forward(double a, double b, const double *w, double *w_bar) {
    (void)w_bar;
    struct taped t = {malloc(sizeof(double)), a * b * w[0]};
    *t.tape = a * b;
    return t;
}
static struct two product_gradient(double a, double b, const double *w, double *w_bar, double seed, double *tape) {
    struct two g = {seed * b * w[0], seed * a * w[0]};
    if (w_bar) w_bar[0] += seed * *tape;
    free(tape);
    return g;
}
void *__enzyme_register_gradient_product[] = {(void *)product, (void *)product_forward, (void *)product_gradient};

#pragma adjoin derivative(absolute) reverse(absolute_forward, absolute_gradient)
static double absolute(double x) { return x < 0 ? -x : x; }
static double absolute_forward(double x) { return absolute(x); }
static double absolute_gradient(double x, double seed) { return x < 0 ? -7 * seed : 7 * seed; }

static double use_slope(double x) { return slope(x * x) + slope(-x); }
static double use_invsqrt(double *a, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) s += a[i] * a[i];
    return invsqrt((float)s);
}
static double use_square(double x) {
    double y, s = 0;
    for (int i = 0; i < 3; i++) {
        square(&y, &x);
        s += y;
        x = y;
    }
    return s;
}
static double use_product(double x, const double *w) { return product(x, x * x, w) + product(2, x, w); }
static double use_absolute(double x) { return absolute(-x * x); }

static int failures;
static void check(const char *what, double got, double want) {
    if (!(fabs(got - want) <= 1e-5 * (1 + fabs(want)))) {
        printf("%s: %.12g, not %.12g\n", what, got, want);
        failures++;
    }
}

int main(void) {
    double x = 1.1;
    check("slope", __enzyme_autodiff((void *)use_slope, x), 10 * 2 * x - 10);
    double a[2] = {3, 4}, g[2] = {0, 0};
    __enzyme_autodiff_void((void *)use_invsqrt, enzyme_dup, a, g, enzyme_const, 2);
    check("invsqrt", g[0], -3 / 125.0);
    check("square", __enzyme_autodiff((void *)use_square, x), 2 * x + 4 * pow(x, 3) + 8 * pow(x, 7));
    double w[1] = {0.5}, dw[1] = {0};
    check("product", __enzyme_autodiff((void *)use_product, x, w, dw), 3 * x * x * 0.5 + 2 * 0.5);
    check("weight", dw[0], x * x * x + 2 * x);
    check("constant weight", __enzyme_autodiff((void *)use_product, x, enzyme_const, w), 3 * x * x * 0.5 + 2 * 0.5);
    check("pragma", __enzyme_autodiff((void *)use_absolute, x), -7 * -2 * x);
    check("directly", __enzyme_autodiff((void *)slope, x), 10);
    return failures;
}
