/* Active numbers that go as bytes to memory of before. */
#include <stdlib.h>
#include <string.h>
void __enzyme_autodiff(void *, ...);

struct pair {
    double a, b;
};
static struct pair *kept;

void set(struct pair **p)
{
    *p = malloc(sizeof **p);
}

static double f(const double *x)
{
    struct pair t = {x[0] * x[0], x[1]};
    memcpy(kept, &t, sizeof t);
    return kept->a * kept->b;
}

int main(void)
{
    double x[2] = {2, 3}, bar[2] = {0, 0};
    set(&kept);
    for (int round = 0; round < 2; round++) {
        bar[0] = bar[1] = 0;
        __enzyme_autodiff((void *)f, x, bar);
        if (bar[0] != 2 * x[0] * x[1] || bar[1] != x[0] * x[0])
            return 1;
    }
    free(kept);
    return 0;
}
