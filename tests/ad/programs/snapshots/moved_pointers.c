/* Layers that lie one behind the other: copies begin where a pointer has moved to in front of the nest that reads it, with counters of other types around it, and with
   loops that go on by more than one, up and down, whose last step ends anywhere in front of the bound. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
extern int enzyme_const, enzyme_dup;

static int failed;

struct model {
    double *weights, *values, *sums;
};

static void plain(double *out, const double *in, const double *w, int rows, int n)
{
    for (int r = 0; r < rows; r++)
        for (int o = 0; o < n; o++) {
            double sum = 0;
            for (int i = 0; i < n; i++)
                sum += in[r * n + i] * w[o * n + i];
            out[r * n + o] = sum;
        }
}

/* Three rows at a time, as many whole threes as there are. */
static void threes(double *out, const double *in, const double *w, int rows, int n)
{
    for (int first = 0; first + 2 < rows; first += 3)
        for (int o = 0; o < n; o++) {
            double sums[3] = {0};
            for (int i = 0; i < n; i++)
                for (int r = 0; r < 3; r++)
                    sums[r] += in[(first + r) * n + i] * w[o * n + i];
            for (int r = 0; r < 3; r++)
                out[(first + r) * n + o] = sums[r];
        }
}

/* Every second row, from the last on. */
static void seconds(double *out, const double *in, const double *w, int rows, int n)
{
    for (int r = rows - 1; r >= 0; r -= 2)
        for (int o = 0; o < n; o++) {
            double sum = 0;
            for (int i = 0; i < n; i += 2)
                sum += in[r * n + i] * w[o * n + i] * in[r * n + i];
            out[r * n + o] = sum;
        }
}

#define LOSS(name, product)                                                                      \
    static double name(struct model *m, size_t layers, size_t rows, size_t n)                    \
    {                                                                                            \
        double *values = m->values, *sums = m->sums;                                             \
        for (int l = 0; l < layers; l++) {                                                       \
            product(sums + l * rows * n, values + l * rows * n, m->weights + l * n * n, rows, n); \
            for (int k = 0; k < (int)(rows * n); k++)                                            \
                values[(l + 1) * rows * n + k] = sin(sums[l * rows * n + k]);                    \
        }                                                                                        \
        double loss = 0;                                                                         \
        for (size_t k = 0; k < rows * n; k++)                                                    \
            loss += (k + 1) * values[layers * rows * n + k];                                     \
        return loss;                                                                             \
    }
LOSS(loss_plain, plain)
LOSS(loss_threes, threes)
LOSS(loss_seconds, seconds)

enum { MOST = 4096 };

static void fill(double *x, int k)
{
    for (int i = 0; i < MOST; i++)
        x[i] = sin(1.3 * i + k);
}

#define CHECK(name, layers, rows, n)                                                               \
    do {                                                                                           \
        static double memory[9][MOST];                                                             \
        memset(memory, 0, sizeof memory);                                                          \
        struct model m = {memory[0], memory[1], memory[2]}, bar = {memory[3], memory[4], memory[5]}; \
        struct model dot = {memory[6], memory[7], memory[8]};                                      \
        fill(m.weights, 0), fill(m.values, 1), fill(dot.weights, 2), fill(dot.values, 3);          \
        double t = __enzyme_fwddiff((void *)name, enzyme_dup, &m, &dot, enzyme_const, (size_t)(layers), \
                                    enzyme_const, (size_t)(rows), enzyme_const, (size_t)(n));      \
        memset(m.sums, 0, sizeof memory[2]);                                                       \
        fill(m.values, 1), fill(dot.values, 3);                                                    \
        __enzyme_autodiff((void *)name, &enzyme_dup, &m, &bar, enzyme_const, (size_t)(layers),     \
                          &enzyme_const, (size_t)(rows), enzyme_const, (size_t)(n));               \
        double sum = 0;                                                                            \
        for (int i = 0; i < MOST; i++)                                                             \
            sum += bar.weights[i] * dot.weights[i] + bar.values[i] * dot.values[i];                \
        if (!(fabs(sum - t) <= 1e-10 * (1 + fabs(t)))) {                                           \
            printf("%s, %d rows of %d: %.15g, not %.15g\n", #name, rows, n, sum, t);               \
            failed = 1;                                                                            \
        }                                                                                          \
    } while (0)

int main(void)
{
    for (int rows = 0; rows < 8; rows++)
        for (int n = 1; n < 6; n++) {
            CHECK(loss_plain, 3, rows, n);
            CHECK(loss_threes, 3, rows, n);
            CHECK(loss_seconds, 3, rows, n);
        }
    return failed;
}
