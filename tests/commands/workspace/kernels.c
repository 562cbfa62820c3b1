// Gradients with memory of the caller: the sizes of caches follow from the arguments. `main.c` calls them.
#include <math.h>
#include <stdlib.h>

/* Overwritten in every step: a value for each step and element. */
double steps(int n, int count, double *x)
{
    double sum = 0;
    for (int step = 0; step < count; step++)
        for (int i = 0; i < n; i++) {
            x[i] = sin(x[i]) + 0.1 * x[i] * x[i == 0 ? n - 1 : i - 1];
            sum += x[i] * x[i];
        }
    return sum;
}

struct shape {
    int layers, width;
};

/* Sizes in a struct, and memory of its own. */
double layers(const struct shape *shape, const double *x, const double *w)
{
    int n = shape->width;
    double *now = malloc((size_t)n * sizeof *now), *next = malloc((size_t)n * sizeof *next), sum = 0;
    if (!now || !next)
        abort();
    for (int i = 0; i < n; i++)
        now[i] = x[i];
    for (int l = 0; l < shape->layers; l++) {
        for (int i = 0; i < n; i++)
            next[i] = tanh(now[i] * w[i] + now[(i + l) % n]);
        double *other = now;
        now = next;
        next = other;
    }
    for (int i = 0; i < n; i++)
        sum += now[i] * now[i];
    free(now);
    free(next);
    return sum;
}

/* One way needs memory, the other does not. */
double either(int n, int which, const double *x)
{
    double value = 1;
    if (which)
        for (int i = 0; i < n; i++)
            value = value * x[i] + cos(value);
    else
        for (int i = 0; i < n; i++)
            value += x[i] * x[i];
    return value;
}

double none(int n, const double *x)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += exp(x[i]);
    return sum;
}

/* Only the run knows how often. */
double until(double x, double limit)
{
    double value = x;
    while (value < limit)
        value = value * value + sin(value) * x;
    return value;
}
