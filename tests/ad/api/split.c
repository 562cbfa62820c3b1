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
void __enzyme_autodiff_whole(void *, ...);

static double f(double *x, double k) {
    x[0] = sin(x[0]) * x[1];
    x[1] = x[0] * x[0] * k;
    return x[1] * k;
}
static void squares(double *y, const double *x) {
    for (int i = 0; i < 3; i++) y[i] = x[i] * x[i] * x[i];
}

/* State at file scope: a number, and a block that is kept from one call to the next. */
static double total, *kept;
static double with_state(double *x, double k) {
    double s = 0;
    if (!kept) kept = calloc(3, sizeof *kept);
    for (int i = 0; i < 3; i++) {
        total = 0.5 * total + x[i] * x[i];
        kept[i] = x[i] * x[i] * k;
        s += kept[i] * x[0];
    }
    return s + total;
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
    double w[3] = {1, 2, 3}, whole[3] = {0}, halves[2][3] = {{0}};
    void *tapes[2];
    __enzyme_autodiff_whole((void *)with_state, enzyme_dup, w, whole, enzyme_const, k);
    for (int i = 0; i < 2; i++)
        tapes[i] = __enzyme_augmentfwd((void *)with_state, enzyme_dup, w, halves[i], enzyme_const, k);
    for (int i = 1; i >= 0; i--)
        __enzyme_reverse_void((void *)with_state, enzyme_dup, w, halves[i], enzyme_const, k, 1.0, tapes[i]);
    for (int i = 0; i < 3; i++) {
        check("with state", halves[0][i], whole[i]);
        check("with state, again", halves[1][i], whole[i]);
    }
    free(kept);
    return failures;
}
