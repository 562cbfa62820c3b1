// Libraries whose errors jump back to the program (longjmp): the way that does not jump has a derivative.
#include <math.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
int enzyme_dup, enzyme_const;

static jmp_buf handler;
static int last_error;

static void fail(int code, const char *where)
{
    last_error = code;
    fprintf(stderr, "error %d in %s\n", code, where);
    longjmp(handler, code);
}

typedef struct {
    int n;
    double *at;
} vec;

static vec *vec_new(int n)
{
    vec *v = malloc(sizeof *v);
    if (n <= 0 || !v)
        fail(1, "vec_new");
    v->n = n;
    v->at = calloc((size_t)n, sizeof(double));
    if (!v->at)
        fail(2, "vec_new");
    return v;
}

static double vec_dot(const vec *a, const vec *b)
{
    double sum = 0;
    if (a->n != b->n)
        fail(3, "vec_dot");
    for (int i = 0; i < a->n; i++)
        sum += a->at[i] * b->at[i];
    return sum;
}

static double energy(const double *x, int n)
{
    vec *a = vec_new(n), *b = vec_new(n);
    for (int i = 0; i < n; i++) {
        a->at[i] = sin(x[i]);
        b->at[i] = x[i] * x[(i + 1) % n];
    }
    double dot = vec_dot(a, b);
    if (dot < -100)
        fail(4, "energy");
    free(a->at);
    free(a);
    free(b->at);
    free(b);
    return sqrt(1 + dot * dot);
}

int main(void)
{
    double x[4] = {0.3, -0.8, 1.1, 0.6}, g[4] = {0};
    if (setjmp(handler)) {
        puts("caught");
        return 1;
    }
    int bad = 0;
    __enzyme_autodiff((void *)energy, enzyme_dup, x, g, enzyme_const, 4);
    for (int i = 0; i < 4; i++) {
        double h = 1e-6, y[4], d[4] = {0};
        memcpy(y, x, sizeof x);
        y[i] = x[i] + h;
        double up = energy(y, 4);
        y[i] = x[i] - h;
        double fd = (up - energy(y, 4)) / (2 * h);
        d[i] = 1;
        double t = __enzyme_fwddiff((void *)energy, enzyme_dup, x, d, enzyme_const, 4);
        if (!(fabs(fd - g[i]) < 1e-7) || !(fabs(t - g[i]) < 1e-12)) {
            printf("%d: %.12g, forward %.12g, difference %.12g\n", i, g[i], t, fd);
            bad = 1;
        }
    }
    return bad;
}
