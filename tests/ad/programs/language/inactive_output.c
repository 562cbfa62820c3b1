/* Printing, assertions, timing, counting and string functions in the middle of active code. */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

extern int enzyme_dup, enzyme_const;
double __enzyme_autodiff(void *, ...);
static int verbose = 0;

static double chatty(const double *x, int n, const char *mode)
{
    clock_t begin = clock();
    char label[32];
    double s = 0;
    assert(n > 0);
    snprintf(label, sizeof label, "mode %s", mode);
    for (int i = 0; i < n; i++) {
        double term = strcmp(mode, "square") == 0 ? x[i] * x[i] : exp(x[i]);
        if (verbose)
            printf("%s: term %d is %g\n", label, i, term);
        s += term;
    }
    if (isnan(s) || isinf(s)) {
        fprintf(stderr, "%s failed\n", label);
        exit(2);
    }
    if (verbose)
        fprintf(stderr, "took %ld, label length %zu\n", (long)(clock() - begin), strlen(label));
    return s;
}

int main(void)
{
    double x[3] = {0.5, -1, 2}, g[3] = {0};
    __enzyme_autodiff((void *)chatty, enzyme_dup, x, g, enzyme_const, 3, enzyme_const, "square");
    for (int i = 0; i < 3; i++)
        if (g[i] != 2 * x[i]) {
            printf("square %d: %g\n", i, g[i]);
            return 1;
        }
    memset(g, 0, sizeof g);
    __enzyme_autodiff((void *)chatty, enzyme_dup, x, g, enzyme_const, 3, enzyme_const, "exp");
    for (int i = 0; i < 3; i++)
        if (!(fabs(g[i] - exp(x[i])) < 1e-15 * exp(x[i]))) {
            printf("exp %d: %g\n", i, g[i]);
            return 1;
        }
    return 0;
}
