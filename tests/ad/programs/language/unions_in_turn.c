/* A machine whose stack holds integers and numbers in one union, and computes with both; keys that are computed from the bits of numbers. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

enum { N = 3, PUSH, COUNT, ADD, MULTIPLY, CONVERT, SINE, STOP };

typedef struct {
    bool is_number;
    union both { double number; int64_t integer; } as;
} value;

static double machine(const double *x)
{
    static const int program[] = {PUSH, 0, PUSH, 1, MULTIPLY, COUNT, 3, COUNT, 4, ADD, CONVERT, MULTIPLY, SINE, PUSH, 2, ADD, STOP};
    value stack[8];
    int top = 0;
    for (int at = 0;; at++)
        switch (program[at]) {
        case PUSH:
            stack[top++] = (value){.is_number = true, .as.number = x[program[++at]]};
            break;
        case COUNT:
            stack[top].is_number = false;
            stack[top++].as.integer = program[++at];
            break;
        case ADD:
            top--;
            if (stack[top].is_number)
                stack[top - 1].as.number += stack[top].as.number;
            else
                stack[top - 1].as.integer += stack[top].as.integer;
            break;
        case MULTIPLY:
            top--;
            stack[top - 1].as.number *= stack[top].as.number;
            break;
        case CONVERT:
            stack[top - 1].as.number = (double)stack[top - 1].as.integer;
            stack[top - 1].is_number = true;
            break;
        case SINE:
            stack[top - 1].as.number = sin(stack[top - 1].as.number);
            break;
        default:
            return stack[top - 1].as.number;
        }
}

static uint64_t key(double v)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    bits ^= bits >> 33;
    bits *= 0xff51afd7ed558ccdULL;
    bits ^= bits >> 33;
    return bits;
}

static double kept(const double *x)
{
    struct { uint64_t key; double result; } table[16];
    double sum = 0;
    memset(table, 0, sizeof table);
    for (int i = 0; i < 9; i++) {
        double v = x[i % N] * (1 + i / N % 2);
        uint64_t k = key(v);
        unsigned at = k & 15;
        while (table[at].key && table[at].key != k)
            at = (at + 1) & 15;
        if (!table[at].key) {
            table[at].key = k;
            table[at].result = sin(v) * v;
        }
        sum += table[at].result * (i + 1);
    }
    return sum;
}

/* The exponent does not change with the number. */
static double scaled(const double *x)
{
    uint64_t bits;
    double v = x[0] * x[2];
    memcpy(&bits, &v, sizeof bits);
    int exponent = (int)(bits >> 52 & 0x7ff) - 1023;
    return v * exponent + x[1] * x[1];
}

#define TEST(f) \
    for (int i = 0; i < N; i++) { \
        double x[N] = {0.5, -0.2, 0.9}, g[N] = {0}, d[N] = {0}, y[N], z[N], h = 1e-6; \
        memcpy(y, x, sizeof x); \
        memcpy(z, x, sizeof x); \
        y[i] += h; \
        z[i] -= h; \
        d[i] = 1; \
        double want = (f(y) - f(z)) / (2 * h); \
        __enzyme_autodiff((void *)f, x, g); \
        double forward = __enzyme_fwddiff((void *)f, x, d); \
        if (!(fabs(g[i] - want) < 1e-7 && fabs(forward - g[i]) < 1e-12)) { \
            printf("%s, x[%d]: %g and %g vs %g\n", #f, i, g[i], forward, want); \
            bad = 1; \
        } \
    }

int main(void)
{
    int bad = 0;
    TEST(machine)
    TEST(kept)
    TEST(scaled)
    return bad;
}
