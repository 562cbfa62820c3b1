/* Shared by the programs of this folder: a gradient against central differences along random directions. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int enzyme_const, enzyme_dup, enzyme_out;

static unsigned long long check_state = 88172645463325252ULL;

static double check_random(double low, double high)
{
    check_state ^= check_state << 13;
    check_state ^= check_state >> 7;
    check_state ^= check_state << 17;
    return low + (high - low) * ((double)(check_state >> 11) / 9007199254740992.0);
}

static void check_fill(double *x, int count, double low, double high)
{
    for (int i = 0; i < count; i++)
        x[i] = check_random(low, high);
}

/* Is the gradient of `f` at x, of which there are `count`, what differences say? */
static int check_gradient(const char *name, double (*f)(void), double *x, const double *bar, int count)
{
    double *old = malloc((size_t)(count + 1) * sizeof *old), *way = malloc((size_t)(count + 1) * sizeof *way);
    int failures = 0;
    memcpy(old, x, (size_t)count * sizeof *x);
    for (int round = 0; round < 3; round++) {
        double h = 1e-4, exact = 0.0, size = 0.0, values[4];
        check_fill(way, count, -1.0, 1.0);
        for (int k = 0; k < 4; k++) {
            double t = h * (k < 2 ? k - 2 : k - 1);
            for (int i = 0; i < count; i++)
                x[i] = old[i] + t * way[i];
            values[k] = f();
        }
        memcpy(x, old, (size_t)count * sizeof *x);
        for (int i = 0; i < count; i++) {
            exact += bar[i] * way[i];
            size += fabs(bar[i] * way[i]);
        }
        double numeric = (8 * (values[2] - values[1]) - (values[3] - values[0])) / (12 * h);
        if (!(fabs(exact - numeric) <= 1e-7 * (1e-3 + size))) {
            printf("%s: %.12g, differences %.12g\n", name, exact, numeric);
            failures++;
        }
    }
    free(old);
    free(way);
    return failures;
}
