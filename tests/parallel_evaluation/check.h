/* Compares batches with single calls, for the programs beside. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;

static void compare(const char *what, size_t count, const double *found, const double *expected)
{
    for (size_t i = 0; i < count; i++) {
        double error = fabs(found[i] - expected[i]);
        if (!(error <= 1e-11 * (1 + fabs(expected[i]))) && failures++ < 10)
            printf("%s[%zu]: %.17g instead of %.17g\n", what, i, found[i], expected[i]);
    }
}

static double *numbers(size_t count, double low, double high)
{
    static unsigned long state = 88172645463325252ul;
    double *x = malloc((count + 1) * sizeof *x);
    if (!x)
        abort();
    for (size_t i = 0; i < count; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        x[i] = low + (high - low) * (double)(state >> 11) / 9007199254740992.0;
    }
    return x;
}

static double *zeros(size_t count)
{
    double *x = calloc(count + 1, sizeof *x);
    if (!x)
        abort();
    return x;
}
