// Large blocks that the program allocates and frees, call after call: what is kept of one call serves the next, so memory does not grow. Also blocks that the caller made and the function frees, blocks that
// the function makes and the caller frees, blocks of zeros, and an arena, of which parts are handed out.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int enzyme_dup, enzyme_const;
double __enzyme_autodiff(void *, ...);

enum { SIZE = 1 << 17, CALLS = 100 };

static double chain(const double *x, int n)
{
    double *t = malloc(n * sizeof *t), sum = 0;
    t[0] = x[0];
    for (int i = 1; i < n; i++)
        t[i] = 0.5 * t[i - 1] * t[i - 1] + x[i % 8];
    for (int i = 0; i < n; i++)
        sum += t[i] * t[i] / n;
    free(t);
    return sum;
}

/* What nobody wrote is zero, also in a block that was something else before. */
static double of_zeros(const double *x, int n)
{
    double *t = calloc(n, sizeof *t), sum = 0;
    for (int i = 0; i < n; i += 3)
        t[i] = x[i % 8] * x[(i + 1) % 8];
    for (int i = 1; i < n; i++)
        sum += (t[i] + 1) * (t[i - 1] + 2) / n;
    free(t);
    return sum;
}

static double *take(double *block, int *used, int n)
{
    double *piece = block + *used;
    *used += n;
    return piece;
}

static double arena(const double *x, int n)
{
    double *block = malloc(n * sizeof *block), sum = 0;
    int used = 0;
    double *now = take(block, &used, 8);
    for (int i = 0; i < 8; i++)
        now[i] = x[i];
    for (int t = 0; t < 5; t++) {
        double *next = take(block, &used, 8);
        for (int i = 0; i < 8; i++)
            next[i] = sin(now[i]) + 0.3 * now[(i + 1) % 8] * now[7 - i];
        now = next;
    }
    for (int i = 0; i < 8; i++)
        sum += now[i] * now[i];
    free(block);
    return sum;
}

/* The block comes from outside. */
static double given(const double *x, double *t, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        t[i] = x[i % 8] * (1 + i % 5);
    for (int i = 0; i < n; i++)
        sum += t[i] * t[i] / n;
    free(t);
    return sum;
}

/* The block goes outside. */
static double handed_out(const double *x, double **result, int n)
{
    double *t = malloc(n * sizeof *t), *scratch = malloc(n * sizeof *scratch), sum = 0;
    for (int i = 0; i < n; i++) {
        scratch[i] = sin(x[i % 8]);
        t[i] = scratch[i] * scratch[i];
    }
    for (int i = 0; i < n; i++)
        sum += t[i] * scratch[i] / n;
    *result = t;
    free(scratch);
    return sum;
}

static double value_given(const double *x, int n) { return given(x, malloc(n * sizeof(double)), n); }

static double value_handed(const double *x, int n)
{
    double *t, sum = handed_out(x, &t, n);
    free(t);
    return sum;
}

static int compare(const char *name, double (*f)(const double *, int), double *x, const double *bar)
{
    int wrong = 0;
    for (int i = 0; i < 8; i++) {
        double old = x[i], h = 1e-5;
        x[i] = old + h;
        double up = f(x, SIZE);
        x[i] = old - h;
        double down = f(x, SIZE);
        x[i] = old;
        double expected = (up - down) / (2 * h);
        if (!(fabs(bar[i] - expected) < 1e-6 * (1 + fabs(expected)))) {
            printf("%s: [%d]: %g instead of %g\n", name, i, bar[i], expected);
            wrong++;
        }
    }
    return wrong;
}

/* In pages; 0 where nobody tells. (The address sanitizer keeps what is freed.) */
static long resident(void)
{
    long all, here = 0;
#ifdef __SANITIZE_ADDRESS__
    FILE *file = NULL;
#else
    FILE *file = fopen("/proc/self/statm", "r");
#endif
    if (file) {
        if (fscanf(file, "%ld %ld", &all, &here) != 2)
            here = 0;
        fclose(file);
    }
    return here;
}

int main(void)
{
    double x[8];
    int wrong = 0;
    long early = 0;
    for (int i = 0; i < 8; i++)
        x[i] = 0.3 + 0.05 * i;
    for (int call = 0; call < CALLS; call++) {
        double a[8] = {0}, b[8] = {0}, c[8] = {0}, d[8] = {0}, e[8] = {0}, *t = malloc(SIZE * sizeof *t), *t_bar = calloc(SIZE, sizeof *t_bar), *out, *out_bar = NULL;
        __enzyme_autodiff((void *)chain, enzyme_dup, x, a, enzyme_const, SIZE);
        __enzyme_autodiff((void *)of_zeros, enzyme_dup, x, b, enzyme_const, SIZE);
        __enzyme_autodiff((void *)arena, enzyme_dup, x, c, enzyme_const, SIZE);
        __enzyme_autodiff((void *)given, enzyme_dup, x, d, enzyme_dup, t, t_bar, enzyme_const, SIZE);
        __enzyme_autodiff((void *)handed_out, enzyme_dup, x, e, enzyme_dup, &out, &out_bar, enzyme_const, SIZE);
        free(out);
        free(out_bar);
        if (call == 10)
            early = resident();
        if (call % 50 == 0)
            wrong += compare("chain", chain, x, a) + compare("of_zeros", of_zeros, x, b) + compare("arena", arena, x, c) + compare("given", value_given, x, d) + compare("handed_out", value_handed, x, e);
    }
    /* Each call uses blocks of 1 MiB: one that is left over each time would be 90 MiB by now. */
    if (early && (resident() - early) * 4096 > 40L << 20) {
        printf("memory grows: %ld pages, then %ld\n", early, resident());
        wrong++;
    }
    return wrong != 0;
}
