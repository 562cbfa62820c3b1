// Arrays that a time loop overwrites are kept in pieces while the loops that read them run: on grids from nothing to many rows, with sizes that are and are not known, and with
// sweeps that change the array when all has been read.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int enzyme_dup, enzyme_const;
int enzyme_dup, enzyme_const;
double __enzyme_autodiff(void *, ...);

enum { MOST = 44 };

/* Two buffers. */
static double heated(const double *start, int rows, int columns, int steps)
{
    size_t count = (size_t)rows * (size_t)columns;
    double *now = malloc((count + 1) * sizeof *now), *next = malloc((count + 1) * sizeof *next), sum = 0.0;
    for (size_t i = 0; i < count; i++)
        now[i] = next[i] = start[i];
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < rows - 1; i++)
            for (int j = 1; j < columns - 1; j++) {
                double u = now[i * columns + j];
                double flow = now[(i - 1) * columns + j] + now[(i + 1) * columns + j] + now[i * columns + j - 1] + now[i * columns + j + 1] - 4 * u;
                next[i * columns + j] = u + 0.1 * (1 + 0.3 * u) * flow;
            }
        double *other = now;
        now = next;
        next = other;
    }
    for (size_t i = 0; i < count; i++)
        sum += now[i] * now[i] * (1 + (double)(i % 3));
    free(now);
    free(next);
    return sum;
}

/* A fixed size, and a copy back: the array that is kept is written in the same step. */
static double smoothed(const double *start, int rows, int columns, int steps)
{
    static double now[MOST][MOST], next[MOST][MOST];
    double sum = 0.0;
    for (int i = 0; i < MOST; i++)
        for (int j = 0; j < MOST; j++)
            now[i][j] = next[i][j] = i < rows && j < columns ? start[i * columns + j] : 0.2;
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < MOST - 1; i++)
            for (int j = 1; j < MOST - 1; j++)
                next[i][j] = 0.2 * now[i][j] * (now[i - 1][j] + now[i + 1][j] + now[i][j - 1] * now[i][j + 1] + now[i][j]);
        for (int i = 1; i < MOST - 1; i++)
            for (int j = 1; j < MOST - 1; j++)
                now[i][j] = next[i][j] + 0.1 * now[i][j];
    }
    for (int i = 0; i < MOST; i++)
        for (int j = 0; j < MOST; j++)
            sum += now[i][j] * (i + 2 * j + 1);
    return sum;
}

static double start[MOST * MOST], bar[MOST * MOST];

static int check(const char *what, double (*f)(const double *, int, int, int), int rows, int columns, int steps)
{
    int wrong = 0, count = rows * columns;
    for (int k = 0; k < count; k += 1 + count / 9) {
        double h = 1e-6, old = start[k];
        start[k] = old + h;
        double more = f(start, rows, columns, steps);
        start[k] = old - h;
        double less = f(start, rows, columns, steps);
        start[k] = old;
        double expected = (more - less) / (2 * h);
        if (fabs(bar[k] - expected) > 1e-6 * (1 + fabs(expected))) {
            printf("%s(%d, %d, %d): %d is %.12g, not %.12g\n", what, rows, columns, steps, k, bar[k], expected);
            wrong = 1;
        }
    }
    return wrong;
}

int main(void)
{
    int wrong = 0, sizes[] = {0, 1, 2, 3, 5, 8, 17, MOST};
    for (int i = 0; i < MOST * MOST; i++)
        start[i] = 0.3 + 0.5 * sin(i);
    for (int r = 0; r < 8; r++)
        for (int c = 0; c < 8; c += 1 + r % 2)
            for (int steps = 0; steps < 4; steps += 3) {
                memset(bar, 0, sizeof bar);
                __enzyme_autodiff((void *)heated, enzyme_dup, start, bar, enzyme_const, sizes[r], enzyme_const, sizes[c], enzyme_const, steps);
                wrong |= check("heated", heated, sizes[r], sizes[c], steps);
            }
    for (int steps = 0; steps < 4; steps++) {
        memset(bar, 0, sizeof bar);
        __enzyme_autodiff((void *)smoothed, enzyme_dup, start, bar, enzyme_const, MOST, enzyme_const, 30, enzyme_const, steps);
        wrong |= check("smoothed", smoothed, MOST, 30, steps);
    }
    return wrong;
}
