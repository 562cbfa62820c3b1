/* Threads that keep something from one iteration of a collapsed nest to the next: who runs which iteration is as OpenMP says, so that the results are those of the function itself. */
#include <math.h>
#include <stdio.h>
#include <string.h>

void __enzyme_autodiff(void *, ...);
void __enzyme_fwddiff(void *, ...);
int enzyme_dup, enzyme_const;

enum { ROWS = 4, COLUMNS = 5, SIZE = ROWS * COLUMNS };

static void running(const double *x, double *y, int rows, int columns)
{
#pragma omp parallel num_threads(3)
    {
        double before = 0.1;
#pragma omp for collapse(2) schedule(static)
        for (int i = 0; i < rows; i++)
            for (int j = columns - 1; j >= 0; j--) {
                before = 0.5 * before + sin(x[i * columns + j]);
                y[i * columns + j] = before * x[i * columns + j];
            }
    }
}

static void dealt(const double *x, double *y, int rows, int columns)
{
    double before = 0.3;
#pragma omp parallel for collapse(2) schedule(static, 3) firstprivate(before) num_threads(2)
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            y[i * columns + j] = before * x[i * columns + j];
            before = cos(x[i * columns + j]) * before + 0.2;
        }
}

static int check(void (*f)(const double *, double *, int, int), const double *result, const double *gradient, const double *tangent, const char *name)
{
    double x[SIZE], y[SIZE], forward = 0, reverse = 0, difference = 0;
    int bad = 0;
    for (int i = 0; i < SIZE; i++)
        x[i] = 0.4 + 0.1 * i;
    f(x, y, ROWS, COLUMNS);
    for (int i = 0; i < SIZE; i++)
        if (y[i] != result[i])
            printf("%s: result %d is %g, not %g\n", name, i, result[i], y[i]), bad = 1;
    for (int sign = -1; sign < 2; sign += 2) {
        for (int i = 0; i < SIZE; i++)
            x[i] = 0.4 + 0.1 * i + sign * 1e-6 * cos(i);
        f(x, y, ROWS, COLUMNS);
        for (int i = 0; i < SIZE; i++)
            difference += sign * y[i] * (1 + 0.1 * i) / 2e-6;
    }
    for (int i = 0; i < SIZE; i++)
        reverse += gradient[i] * cos(i), forward += tangent[i] * (1 + 0.1 * i);
    if (fabs(reverse - difference) > 1e-6 * fabs(difference) || fabs(forward - difference) > 1e-6 * fabs(difference))
        printf("%s: reverse %g, forward %g, differences %g\n", name, reverse, forward, difference), bad = 1;
    return bad;
}

#define CHECK(f)                                                                                              \
    do {                                                                                                      \
        double x[SIZE], y[SIZE], z[SIZE], xb[SIZE] = {0}, yb[SIZE], xd[SIZE], yd[SIZE] = {0};                 \
        for (int i = 0; i < SIZE; i++)                                                                        \
            x[i] = 0.4 + 0.1 * i, yb[i] = 1 + 0.1 * i, xd[i] = cos(i);                                        \
        __enzyme_autodiff((void *)f, enzyme_dup, x, xb, enzyme_dup, y, yb, enzyme_const, ROWS, enzyme_const, COLUMNS); \
        __enzyme_fwddiff((void *)f, enzyme_dup, x, xd, enzyme_dup, z, yd, enzyme_const, ROWS, enzyme_const, COLUMNS);  \
        bad |= check(f, y, xb, yd, #f);                                                                       \
    } while (0)

int main(void)
{
    int bad = 0;
    CHECK(running);
    CHECK(dealt);
    return bad;
}
