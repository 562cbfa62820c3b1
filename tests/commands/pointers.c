// Pointers that walk, the heap, recursion, globals that are written, strings.
// adjoin: check %s -f heap --set n=5
// adjoin: check %s -f fib --set n=6
// adjoin: check %s -f accumulate --set n=5
// adjoin: check %s -f swapped --set n=3 --set steps=5 --size a=n --size b=n
// adjoin: check %s -f gemm --set m=2 --set n=3 --set k=4 --size A=m*k --size B=k*n --size C=m*n
// adjoin: check %s -f quadratic --set n=3 --size Q=n*n
// adjoin: check %s -f price --set kind=1
// adjoin: grad %s -f walk
// adjoin: grad %s -f named
// adjoin: hessian %s -f heap
// adjoin: hessian %s -f fib
// adjoin: hvp %s -f accumulate
// adjoin: jacobian %s -f heap --mode forward
// adjoin: jacobian %s -f gemm --wrt A,B --of C --size A=m*k --size B=k*n --size C=m*n
// adjoin: vjp %s -f swapped
// adjoin: jvp %s -f price --width 2
// adjoin: jacobian %s -f price
// fails: does not hold just those
// adjoin: check %s -f quadratic --set n=3
// fails: how many elements does `Q` have
#include <math.h>
#include <stdlib.h>
#include <string.h>
static double accumulator;
enum kind { CALL, PUT };
struct option {
    enum kind kind;
    float strike;
    double expiry;
};
struct quote {
    double price, delta;
};

double heap(int n, const double *x)
{
    double *t = malloc((size_t)n * sizeof *t), s = 0;
    for (int i = 0; i < n; i++)
        t[i] = exp(x[i]);
    for (int i = 0; i < n; i++)
        s += t[i] * t[(i + 1) % n];
    free(t);
    return s;
}
double fib(int n, double x) { return n < 2 ? x : fib(n - 1, x) * fib(n - 2, sin(x)); }
double accumulate(int n, const double *x)
{
    accumulator = 0;
    for (int i = 0; i < n; i++)
        accumulator += x[i] * x[i];
    return sqrt(accumulator);
}
double walk(const double *p, const double *end)
{
    double s = 0;
    while (p != end) {
        s += *p * *p;
        p++;
    }
    return s;
}
double named(const char *name, double x) { return strcmp(name, "square") == 0 ? x * x : x; }
void swapped(int n, int steps, double *a, double *b)
{
    double *now = a, *next = b;
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++)
            next[i] = sin(now[i]) + now[(i + 1) % n];
        double *old = now;
        now = next;
        next = old;
    }
}
void gemm(int m, int n, int k, double alpha, const double *A, const double *B, double beta, double *C)
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            double s = 0;
            for (int l = 0; l < k; l++)
                s += A[i * k + l] * B[l * n + j];
            C[i * n + j] = alpha * s + beta * C[i * n + j];
        }
}
double quadratic(int n, double x[restrict n], double (*const Q)[n])
{
    double s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            s += x[i] * Q[i][j] * x[j];
    return s;
}
struct quote price(struct option o, double spot, double sigma, int kind)
{
    double d = (log(spot / o.strike) + 0.5 * sigma * sigma * o.expiry) / (sigma * sqrt(o.expiry));
    double n = 0.5 * erfc(-d / sqrt(2.0));
    struct quote q = {kind == CALL ? spot * n : o.strike * (1 - n), n};
    return q;
}
