// Arrays behind pointers in a struct and indices in memory, in reverse mode: arrays that share nothing, arrays that overlap, indices that go nowhere.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int enzyme_dup, enzyme_const;
int enzyme_dup, enzyme_const;
void __enzyme_autodiff(void *, ...);

struct model {
    int rows;
    const int *starts, *columns;
    const double *values;
    double *state;
};

/* y = A x with a limit, twice; what is written may be what is read. */
static double energy(const double *x, const struct model *m, double *y)
{
    double sum = 0.0;
    for (int i = 0; i < m->rows; i++) {
        double row = 0.0;
        for (int k = m->starts[i]; k < m->starts[i + 1]; k++)
            row += m->values[k] * x[m->columns[k]];
        y[i] = row / (1.0 + row * row);
    }
    for (int i = 0; i < m->rows; i++) {
        double row = 0.0;
        for (int k = m->starts[i]; k < m->starts[i + 1]; k++)
            row += m->values[k] * m->values[k] * x[m->columns[k]] * y[i];
        m->state[i] = sin(row);
    }
    for (int i = 0; i < m->rows; i++)
        sum += m->state[i] * y[i];
    return sum;
}

static int failures;

/* All memory in one block, so that any of it can overlap; `at` says where each array is. */
enum { X, VALUES, Y, STATE, ARRAYS };
enum { SIZE = 64 };

static double run(const double *numbers, const int *at, int rows, const int *starts, const int *columns)
{
    double *block = malloc(SIZE * sizeof *block);
    memcpy(block, numbers, SIZE * sizeof *block);
    struct model m = {rows, starts, columns, block + at[VALUES], block + at[STATE]};
    double result = energy(block + at[X], &m, block + at[Y]);
    free(block);
    return result;
}

static void check(const char *what, const int *at, int rows, const int *starts, const int *columns)
{
    double numbers[SIZE], *block = malloc(SIZE * sizeof *block), *bar = calloc(SIZE, sizeof *bar);
    for (int i = 0; i < SIZE; i++)
        numbers[i] = 0.8 * cos(1.0 + 3.0 * i) + 0.1;
    memcpy(block, numbers, SIZE * sizeof *block);
    struct model m = {rows, starts, columns, block + at[VALUES], block + at[STATE]};
    struct model m_bar = {rows, starts, columns, bar + at[VALUES], bar + at[STATE]};
    __enzyme_autodiff((void *)energy, enzyme_dup, block + at[X], bar + at[X], enzyme_dup, &m, &m_bar, enzyme_dup, block + at[Y], bar + at[Y]);
    for (int i = 0; i < SIZE; i++) {
        double old = numbers[i], h = 1e-6;
        numbers[i] = old + h;
        double plus = run(numbers, at, rows, starts, columns);
        numbers[i] = old - h;
        double minus = run(numbers, at, rows, starts, columns);
        numbers[i] = old;
        double numeric = (plus - minus) / (2 * h);
        if (!(fabs(bar[i] - numeric) < 1e-7 * (1.0 + fabs(numeric)))) {
            printf("%s, number %d: %.12g, differences %.12g\n", what, i, bar[i], numeric);
            failures++;
        }
    }
    free(block);
    free(bar);
}

int main(void)
{
    static const int starts[] = {0, 2, 2, 5, 6, 8}, columns[] = {4, 1, 0, 3, 2, 1, 4, 0};
    static const int backwards[] = {6, 8, 3, 5, 5, 5}, beyond[] = {900, 100};
    check("apart", (int[]){0, 10, 20, 30}, 5, starts, columns);
    check("y over x", (int[]){0, 10, 2, 30}, 5, starts, columns);
    check("y is x", (int[]){0, 10, 0, 30}, 5, starts, columns);
    check("state over values", (int[]){0, 10, 20, 12}, 5, starts, columns);
    check("state is y", (int[]){0, 10, 20, 20}, 5, starts, columns);
    check("y over values", (int[]){0, 10, 8, 30}, 5, starts, columns);
    check("behind the last index", (int[]){0, 10, 5, 30}, 5, starts, columns);
    check("rows that run backwards", (int[]){0, 10, 20, 30}, 5, backwards, columns);
    check("no entries", (int[]){0, 10, 20, 30}, 1, beyond, NULL);
    check("no rows", (int[]){0, 10, 20, 30}, 0, NULL, NULL);
    return failures != 0;
}
