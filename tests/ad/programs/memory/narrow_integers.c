/* Integers that the reverse sweep needs and that fit into fewer bytes than their types have, or do not: masks, remainders, choices, and what loops carry. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

extern int enzyme_dup, enzyme_const;
double __enzyme_autodiff(void *, ...);

enum { N = 40, SIZE = 700 };

/* Indices that come from numbers, so that they must be kept. */
static double tables(double *x, const double *table, int n, int how)
{
    double s = 0;
    long state = 3;
    int best = -1, far = 0;
    double most = -1e300;
    for (int i = 0; i < n; i++) {
        long raw = (long)floor(x[i] * 1000);
        long k = 0;
        switch (how) {
        case 0: k = raw & 127; break;
        case 1: k = raw % 200; k = k < 0 ? k + 300 : k; break;
        case 2: k = (raw & 1023) / 2; break;
        case 3: k = x[i] > 0.3 ? 5 : x[i] > 0 ? 300 : 290; break;
        case 4: state = (state * 7 + (raw & 15)) % 601; k = state; break;
        case 5: k = (signed char)(raw & 255) + 200; break;
        case 6: k = (unsigned char)raw + (raw & 3); break;
        case 7: k = 3 * (raw & 63) - 2 * (raw & 31) + 70; break;
        case 8: k = (unsigned)(raw & 511) >> 1; break;
        default:
            /* Handed on from one iteration to the next, and cut off on the way. */
            far = x[i] > 0 ? i * 9 : (signed char)far;
            k = far + 200;
        }
        if (x[i] > most) {
            most = x[i];
            best = i;
        }
        x[i] = x[i] * table[k] + 0.1 * sin(x[i]) * table[best + 1];
        s += x[i] * x[i] * table[(best * 7 + (int)k) % SIZE];
    }
    return s;
}

/* The index of the nearest of a few, in a loop of constant length. */
static double nearest(double *x, const double *table, int n, int how)
{
    double s = 0;
    (void)how;
    for (int i = 0; i < n; i++) {
        int chosen = 0;
        double least = 1e300;
        for (int j = 0; j < 9; j++) {
            double d = fabs(x[i] - 0.3 * j + 1);
            if (d < least) {
                least = d;
                chosen = j;
            }
        }
        x[i] = x[i] * x[i] * table[chosen] + 0.2 * x[i];
        s += x[i] * table[chosen * 3];
    }
    return s;
}

static int failures;

static void check(double (*f)(double *, const double *, int, int), int which, int how)
{
    double x[N], bar[N] = {0}, table[SIZE], h = 1e-7;
    for (int i = 0; i < SIZE; i++)
        table[i] = 0.5 + 0.4 * cos(0.7 * i);
    for (int i = 0; i < N; i++)
        x[i] = sin(2.1 * i) + 0.00049;
    if (which == 0)
        __enzyme_autodiff((void *)tables, enzyme_dup, x, bar, enzyme_const, table, enzyme_const, N, enzyme_const, how);
    else
        __enzyme_autodiff((void *)nearest, enzyme_dup, x, bar, enzyme_const, table, enzyme_const, N, enzyme_const, how);
    for (int k = 0; k < N; k++) {
        double value[2], difference;
        for (int side = 0; side < 2; side++) {
            for (int i = 0; i < N; i++)
                x[i] = sin(2.1 * i) + 0.00049 + (i == k ? (side ? -h : h) : 0);
            value[side] = f(x, table, N, how);
        }
        difference = (value[0] - value[1]) / (2 * h);
        if (fabs(bar[k] - difference) > 1e-5 * (1 + fabs(difference))) {
            printf("%d %d [%d]: %.10g, differences say %.10g\n", which, how, k, bar[k], difference);
            failures++;
        }
    }
}

int main(void)
{
    for (int how = 0; how < 10; how++)
        check(tables, 0, how);
    check(nearest, 1, 0);
    return failures != 0;
}
