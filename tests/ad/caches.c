// What the reverse sweep stores, reads again and puts back: memory that is overwritten while it is in use, in every order.
#include "check.h"
#include <stdlib.h>
#include <string.h>
// A value is read, its place overwritten, and the value used again afterwards.
static double reuse(double *x, int n) {
    double a[8], s = 0;
    for (int i = 0; i < 8; i++)
        a[i] = x[i % n] * 0.5;
    for (int t = 0; t < 5; t++)
        for (int i = 1; i < 7; i++) {
            double old = a[i];
            a[i] = sin(old) + a[i - 1] * a[i + 1];
            s += old * old * a[i];
        }
    return s;
}
GRADIENT(reuse)
// In place, reading ahead and behind.
static double ahead(double *x, int n) {
    double *u = malloc(n * sizeof *u), s = 0;
    memcpy(u, x, n * sizeof *u);
    for (int t = 0; t < 4; t++) {
        for (int i = 0; i + 1 < n; i++)
            u[i] = 0.5 * u[i] * u[i + 1];
        for (int i = n - 1; i > 0; i--)
            u[i] += u[i - 1] * u[i - 1];
    }
    for (int i = 0; i < n; i++)
        s += u[i] * u[i];
    free(u);
    return s;
}
GRADIENT(ahead)
// Overwritten under a condition that depends on what is overwritten.
static double choose(double *x, int n) {
    double a[4] = {1, 2, 3, 4}, s = 0;
    for (int t = 0; t < 3 * n; t++) {
        int k = t % 4;
        if (a[k] > 2) {
            a[k] = a[k] * 0.5 + x[t % n] * x[t % n];
        } else {
            a[(k + 1) % 4] *= a[k];
            if (a[k] < 0.1)
                a[k] += 1;
        }
        s += a[k] * a[(k + 2) % 4];
    }
    return s;
}
GRADIENT(choose)
// Loops that are left early, and loops whose number of rounds is found on the way.
static double early(double *x, int n) {
    double a[6] = {0.3, 0.2, 0.5, 0.1, 0.9, 0.4}, s = 0;
    for (int t = 0; t < 6; t++) {
        int rounds = 0;
        while (a[t] < 1.5 && rounds < 9) {
            a[t] = a[t] * (1 + x[rounds % n] * 0.2) + 0.1;
            if (a[t] > 1.2 && rounds > 5)
                break;
            rounds++;
            if (rounds % 3 == 0)
                continue;
            a[(t + 1) % 6] *= 0.9 + 0.01 * a[t];
        }
        for (int i = 0; i < 6; i++) {
            if (a[i] > 2)
                goto next;
            s += a[i] * a[i] * a[t];
            a[i] *= 0.95;
        }
    next:
        s += a[t];
    }
    return s;
}
GRADIENT(early)
// A place that is read in an outer loop and overwritten in an inner one.
static double nested(double *x, int n) {
    double a[5], s = 0;
    for (int i = 0; i < 5; i++)
        a[i] = x[i % n];
    for (int t = 0; t < 3; t++) {
        double first = a[0], bound = a[4];
        for (int i = 0; i < 5; i++) {
            for (int j = 0; j <= i; j++)
                a[j] = a[j] * first * 0.7 + cos(a[i]) * bound;
            s += a[i] * first;
        }
        s += first * first * bound;
    }
    return s;
}
GRADIENT(nested)
// Indices that are read from memory which changes.
static double permuted(double *x, int n) {
    int order[4] = {2, 0, 3, 1};
    double a[4], s = 0;
    for (int i = 0; i < 4; i++)
        a[i] = x[i % n] + 0.1 * i;
    for (int t = 0; t < 7; t++) {
        int k = order[t % 4];
        a[k] = a[k] * a[order[(t + 1) % 4]] * 0.8 + 0.2;
        order[t % 4] = order[(t + 3) % 4];
        order[(t + 3) % 4] = k;
        s += a[order[0]] * a[k];
    }
    return s;
}
GRADIENT(permuted)
// Triangular, with trip counts from memory.
static double triangle(double *x, int n) {
    double f[10], l[16], s = 0;
    int count[4] = {1, 3, 2, 4};
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            l[4 * i + j] = (i == j ? 5.0 : 0.0) + x[(i + j) % n] * 0.3;
    for (int i = 0; i < 10; i++)
        f[i] = x[i % n] * 0.25;
    for (int j = 0; j < 4; j++) {
        for (int k = 0; k < j; k++)
            l[5 * j] -= l[4 * j + k] * l[4 * j + k];
        l[5 * j] = sqrt(l[5 * j]);
        for (int i = j + 1; i < 4; i++) {
            for (int k = 0; k < j; k++)
                l[4 * i + j] -= l[4 * i + k] * l[4 * j + k];
            l[4 * i + j] /= l[5 * j];
        }
    }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < count[i]; j++)
            for (int k = j; k < 4; k += 2) {
                s += l[4 * j + k] * l[4 * k + j] * f[i + j];
                f[i + j] = f[i + j] * f[i + j] + l[5 * i] * 0.1;
            }
    return s;
}
GRADIENT(triangle)
// Buffers that go around, forwards by three.
static double turning(double *x, int n) {
    double *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b), *c = malloc(n * sizeof *c), s = 0;
    for (int i = 0; i < n; i++) {
        a[i] = x[i];
        b[i] = x[i] * x[i];
        c[i] = 1;
    }
    double *p = a, *q = b, *r = c;
    for (int t = 0; t < 7; t++) {
        for (int i = 0; i < n; i++)
            r[i] = p[i] * q[(i + 1) % n] * 0.6 + 0.1;
        double *swap = p;
        p = q;
        q = r;
        r = swap;
    }
    for (int i = 0; i < n; i++)
        s += p[i] * q[i] + r[i];
    free(a);
    free(b);
    free(c);
    return s;
}
GRADIENT(turning)
// The argument's own memory is overwritten: afterwards it must hold the primal's results.
static double inplace(double *x, int n) {
    double s = 0;
    for (int t = 0; t < 2; t++)
        for (int i = 0; i < n; i++) {
            x[i] = x[i] * x[(i + 1) % n] + 0.1;
            s += x[i];
        }
    return s;
}
static int inplace_check(void) {
    double x[3] = {0.5, 0.7, 0.9}, y[3] = {0.5, 0.7, 0.9}, d[3] = {0};
    __enzyme_autodiff((void *)inplace, x, d, 3);
    inplace(y, 3);
    return memcmp(x, y, sizeof x) != 0;
}
int main(void) {
    int bad = inplace_check();
    for (int n = 5; n < 9; n++)
        bad |= CHECK(reuse, n) | CHECK(ahead, n) | CHECK(choose, n) | CHECK(early, n) | CHECK(nested, n) |
               CHECK(permuted, n) | CHECK(triangle, n) | CHECK(turning, n);
    return bad;
}
