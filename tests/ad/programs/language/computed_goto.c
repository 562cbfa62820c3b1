// Jumps to labels by their addresses: an interpreter of a stack machine with a static table, and a table on the stack.
#include <math.h>
#include <stdio.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
extern int enzyme_dup, enzyme_const;

enum { N = 5 };
enum { PUSH, ADD, MUL, SINE, AGAIN, HALT };

static const int program[] = {PUSH, 0, PUSH, 1, MUL, PUSH, 2, ADD, SINE, PUSH, 3, MUL, AGAIN, PUSH, 4, ADD, HALT};

static double machine(const double *x, int n)
{
    static const void *const table[] = {&&push, &&add, &&mul, &&sine, &&again, &&halt};
    double stack[16], *top = stack;
    const int *pc = program;
    int rounds = n;
#define NEXT goto *table[*pc++]
    NEXT;
push:
    *top++ = x[*pc++];
    NEXT;
add:
    top--;
    top[-1] += top[0];
    NEXT;
mul:
    top--;
    top[-1] *= top[0];
    NEXT;
sine:
    top[-1] = sin(top[-1]) + 0.5 * top[-1];
    NEXT;
again:
    if (--rounds > 0)
        pc = program;
    NEXT;
halt:
    while (top > stack + 1) {
        top--;
        top[-1] += top[0] * top[-1];
    }
    return stack[0];
}

static double states(const double *x, int n)
{
    void *next[2] = {&&low, &&high};
    double s = 1;
    for (int i = 0; i < n; i++) {
        goto *next[x[i] > 0.65];
    low:
        s += x[i] * s;
        if (s > 3)
            break;
        continue;
    high:
        s *= x[i];
        next[0] = &&mixed;
        continue;
    mixed:
        s -= cos(x[i]);
    }
    return s;
}

static int failures;

#define CHECK(f)                                                                                            \
    do {                                                                                                    \
        double x[N] = {0.7, 0.4, 1.3, 0.9, 0.6}, g[N] = {0};                                                \
        __enzyme_autodiff((void *)f, enzyme_dup, x, g, enzyme_const, N);                                    \
        for (int i = 0; i < N; i++) {                                                                       \
            double d[N] = {0}, h = 1e-6, keep = x[i];                                                       \
            d[i] = 1;                                                                                       \
            double t = __enzyme_fwddiff((void *)f, enzyme_dup, x, d, enzyme_const, N);                      \
            x[i] = keep + h;                                                                                \
            double above = f(x, N);                                                                         \
            x[i] = keep - h;                                                                                \
            double difference = (above - f(x, N)) / (2 * h);                                                \
            x[i] = keep;                                                                                    \
            if (!(fabs(g[i] - t) < 1e-12 * (1 + fabs(t))) || !(fabs(t - difference) < 1e-6 * (1 + fabs(t)))) { \
                printf("%s, %d: %.12g %.12g %.12g\n", #f, i, g[i], t, difference);                          \
                failures++;                                                                                 \
            }                                                                                               \
        }                                                                                                   \
    } while (0)

int main(void)
{
    CHECK(machine);
    CHECK(states);
    return failures != 0;
}
