// The sweeps apart: the tape returned alone, in a struct, or in memory of the caller.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

extern int enzyme_dup, enzyme_const, enzyme_out, enzyme_tape, enzyme_allocated;
struct taped { void *tape; double value; };
void *__enzyme_augmentfwd(void *, ...);
struct taped __enzyme_augmentfwd_value(void *, ...);
void __enzyme_augmentfwd_into(void *, ...);
int __enzyme_augmentsize(void *, ...);
double __enzyme_reverse(void *, ...);
void __enzyme_reverse_void(void *, ...);

static double f(double *x, double k) {
    x[0] = sin(x[0]) * x[1];
    x[1] = x[0] * x[0] * k;
    return x[1] * k;
}
static void squares(double *y, const double *x) {
    for (int i = 0; i < 3; i++) y[i] = x[i] * x[i] * x[i];
}

static int failures;
static void check(const char *what, double got, double want) {
    if (fabs(got - want) > 1e-9 * (1 + fabs(want))) {
        printf("%s: %.12g, not %.12g\n", what, got, want);
        failures++;
    }
}

int main(void) {
    double x[2] = {0.5, 2}, g[2] = {0, 0}, k = 3;
    double s = sin(0.5), c = cos(0.5);
    void *tape = __enzyme_augmentfwd((void *)f, enzyme_dup, x, g, enzyme_out, k);
    check("forward", x[1], 4 * s * s * k);
    x[0] = x[1] = 100;
    double dk = __enzyme_reverse((void *)f, enzyme_dup, x, g, enzyme_out, k, 1.0, tape);
    check("x0", g[0], k * k * 8 * s * c);
    check("x1", g[1], k * k * 4 * s * s);
    check("k", dk, 2 * k * 4 * s * s);
    double y[2] = {0.5, 2}, h[2] = {0, 0};
    struct taped t = __enzyme_augmentfwd_value((void *)f, y, h, k);
    check("value", t.value, 4 * s * s * k * k);
    dk = __enzyme_reverse((void *)f, y, h, k, 2.0, t.tape);
    check("seed 2, x0", h[0], 2 * k * k * 8 * s * c);
    check("seed 2, k", dk, 4 * k * 4 * s * s);
    double in[3] = {1, 2, 3}, din[3] = {0}, out[3], dout[3] = {1, 1, 1};
    int size = __enzyme_augmentsize((void *)squares, enzyme_dup, enzyme_dup);
    void *memory = malloc(size);
    __enzyme_augmentfwd_into((void *)squares, enzyme_allocated, size, enzyme_tape, memory, out, dout, in, din);
    in[0] = in[1] = in[2] = 0;
    __enzyme_reverse_void((void *)squares, enzyme_allocated, size, enzyme_tape, memory, out, dout, in, din);
    free(memory);
    for (int i = 0; i < 3; i++) check("squares", din[i], 3 * (i + 1) * (i + 1));
    double z[2] = {0.5, 2}, dz[2] = {0, 0};
    tape = __enzyme_augmentfwd((void *)f, enzyme_dup, z, dz, enzyme_const, k);
    __enzyme_reverse_void((void *)f, enzyme_dup, z, dz, enzyme_const, k, tape);
    check("no seed is 1", dz[0], k * k * 8 * s * c);
    return failures;
}
