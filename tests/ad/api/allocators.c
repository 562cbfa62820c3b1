/* Allocators of the program's own, and numbers that travel as their bits. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern double __enzyme_autodiff(void *, ...);
extern int enzyme_dup, enzyme_const;

static int bad;

static void near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance)) {
        printf("%.12g, not %.12g\n", value, expected);
        bad = 1;
    }
}

static char pool[4096];
static int used;

static void *take(void *from, int bytes, int *used)
{
    char *block = (char *)from + *used;
    *used += (bytes + 15) / 16 * 16;
    return block;
}

static void give(int *used, void *block)
{
    (void)block;
    *used += 0;
}

void *__enzyme_allocation_like[4] = {(void *)take, (void *)1, (void *)"2,-1", (void *)give};

static double pooled(const double *x, int n)
{
    used = 0;
    double sum = 0;
    for (int k = 0; k < 2; k++) {
        double *squares = take(pool, n * (int)sizeof *squares, &used);
        for (int i = 0; i < n; i++)
            squares[i] = x[i] * x[i];
        for (int i = 0; i < n; i++)
            sum += squares[i] * squares[n - 1 - i];
    }
    return sum;
}

static void *obtain(size_t bytes)
{
    void *block = malloc(bytes);
    if (!block)
        abort();
    return block;
}

static void release(void *block)
{
    free(block);
}

void *__enzyme_allocation_like_heap[4] = {(void *)obtain, (void *)0, (void *)"-1", (void *)release};

static double heaped(const double *x, int n)
{
    double sum = 0;
    for (int k = 0; k < 2; k++) {
        double *squares = obtain(n * sizeof *squares);
        for (int i = 0; i < n; i++)
            squares[i] = x[i] * x[i];
        for (int i = 0; i < n; i++)
            sum += squares[i] * squares[n - 1 - i];
        release(squares);
    }
    return sum;
}

/* Bits that pass through a function as an integer are the number when they come back. */
static uint64_t *boxed(uint64_t bits, uint64_t tag)
{
    uint64_t *box = malloc(2 * sizeof *box);
    double number;
    memcpy(&number, &bits, sizeof number);
    *(double *)box = number;
    box[1] = tag;
    return box;
}

static double unboxed(double x)
{
    uint64_t bits;
    double y = x * x;
    memcpy(&bits, &y, sizeof bits);
    uint64_t *box = boxed(bits, 3);
    double z;
    memcpy(&z, box, sizeof z);
    free(box);
    return z * x;
}

/* Unsigned counters that pass through zero. */
static double backwards(double *x, unsigned n)
{
    double s = 1;
    for (unsigned i = n - 1; i != (unsigned)-1; i--)
        s += s * x[i];
    for (unsigned i = n - 1; i < n; i--)
        s = s * x[i] + 0.5 * s * s;
    return s;
}

int main(void)
{
    double x[3] = {0.5, 0.25, 0.75}, d[3] = {0};
    __enzyme_autodiff((void *)pooled, enzyme_dup, x, d, enzyme_const, 3);
    for (int i = 0; i < 3; i++)
        near(d[i], 2 * 4 * x[i] * x[2 - i] * x[2 - i], 1e-12);
    double e[3] = {0};
    __enzyme_autodiff((void *)heaped, enzyme_dup, x, e, enzyme_const, 3);
    for (int i = 0; i < 3; i++)
        near(e[i], d[i], 1e-12);
    near(__enzyme_autodiff((void *)unboxed, 1.5), 3 * 1.5 * 1.5, 1e-12);
    double g[3] = {0};
    __enzyme_autodiff((void *)backwards, enzyme_dup, x, g, enzyme_const, 3u);
    for (int i = 0; i < 3; i++) {
        double h = 1e-6, keep = x[i];
        x[i] = keep + h;
        double up = backwards(x, 3);
        x[i] = keep - h;
        double down = backwards(x, 3);
        x[i] = keep;
        near(g[i], (up - down) / (2 * h), 1e-6 * (1 + g[i] * g[i]));
    }
    return bad;
}
