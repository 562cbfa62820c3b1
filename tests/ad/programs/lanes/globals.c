// Arrays behind pointers at file scope, in reverse mode: the test that they share nothing, and what runs if they do.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int enzyme_dup, enzyme_const;
int enzyme_dup, enzyme_const;
void __enzyme_autodiff(void *, ...);

double *shared_weights, *shared_factors;
static int count;

static double cost(const double *x, double *y)
{
    double sum = 0.0;
    for (int i = 0; i < count; i++) {
        y[i] = tanh(shared_weights[i] * x[i]);
        sum += y[i] * x[i] * shared_weights[count - 1 - i];
    }
    for (int i = 0; i < count; i++)
        sum += shared_factors[i] * shared_weights[i] * y[i] * y[i];
    return sum;
}

enum { SIZE = 40 };
static int failures;

static double run(const double *numbers, const int *at)
{
    static double block[SIZE];
    memcpy(block, numbers, sizeof block);
    shared_weights = block + at[2];
    shared_factors = block + at[3];
    return cost(block + at[0], block + at[1]);
}

static void check(const char *what, const int *at)
{
    double numbers[SIZE], block[SIZE], bar[SIZE] = {0};
    for (int i = 0; i < SIZE; i++)
        numbers[i] = cos(2.0 + i);
    memcpy(block, numbers, sizeof block);
    shared_weights = block + at[2];
    shared_factors = block + at[3];
    __enzyme_autodiff((void *)cost, enzyme_dup, block + at[0], bar + at[0], enzyme_dup, block + at[1], bar + at[1]);
    for (int i = 0; i < count; i++) {
        double old = numbers[at[0] + i], h = 1e-6;
        numbers[at[0] + i] = old + h;
        double plus = run(numbers, at);
        numbers[at[0] + i] = old - h;
        double minus = run(numbers, at);
        numbers[at[0] + i] = old;
        double numeric = (plus - minus) / (2 * h), got = bar[at[0] + i];
        if (!(fabs(got - numeric) < 1e-7 * (1.0 + fabs(numeric)))) {
            printf("%s, number %d: %.12g, differences %.12g\n", what, i, got, numeric);
            failures++;
        }
    }
}

int main(void)
{
    for (count = 0; count < 6; count++) {
        check("apart", (int[]){0, 10, 20, 30});
        check("y over x", (int[]){3, 0, 20, 30});
    }
    return failures != 0;
}
