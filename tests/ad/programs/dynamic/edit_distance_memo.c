/* Memoised recursion: an alignment score with a table of computed flags in a context struct. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const char *a, *b;
    const double *cost; /* gap, mismatch, match */
    double memo[12][12];
    char known[12][12];
} context;

void __enzyme_autodiff(void *, ...);
int enzyme_const, enzyme_dup;

static double align(context *c, int i, int j)
{
    if (i < 0)
        return c->cost[0] * (j + 1);
    if (j < 0)
        return c->cost[0] * (i + 1);
    if (c->known[i][j])
        return c->memo[i][j];
    double match = align(c, i - 1, j - 1) + (c->a[i] == c->b[j] ? c->cost[2] : c->cost[1]);
    double up = align(c, i - 1, j) + c->cost[0], left = align(c, i, j - 1) + c->cost[0];
    double best = match < up ? match : up;
    best = best < left ? best : left;
    c->known[i][j] = 1;
    return c->memo[i][j] = best;
}

double score(const double *cost, const char *a, const char *b)
{
    context *c = calloc(1, sizeof *c);
    c->a = a;
    c->b = b;
    c->cost = cost;
    double r = align(c, (int)strlen(a) - 1, (int)strlen(b) - 1);
    free(c);
    return r * r;
}

int main(void)
{
    double cost[3] = {1.1, 0.9, -0.3}, d[3] = {0};
    __enzyme_autodiff((void *)score, enzyme_dup, cost, d, enzyme_const, "kitten", enzyme_const, "sittings");
    for (int i = 0; i < 3; i++) {
        double k = cost[i];
        cost[i] = k + 1e-6;
        double p = score(cost, "kitten", "sittings");
        cost[i] = k - 1e-6;
        double m = score(cost, "kitten", "sittings");
        cost[i] = k;
        if (!(fabs(d[i] - (p - m) / 2e-6) < 1e-7)) {
            printf("cost %d: %g vs %g\n", i, d[i], (p - m) / 2e-6);
            return 1;
        }
    }
    return 0;
}
