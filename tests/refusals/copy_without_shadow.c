// Active numbers that go as bytes to memory without a shadow.
#include <string.h>
void __enzyme_autodiff(void *, ...);

struct pair {
    double a, b;
};
#define kept ((struct pair *)0x10000)

static double f(const double *x)
{
    struct pair t = {x[0] * x[0], x[1]};
    memcpy(kept, &t, sizeof t); // error: a store of active data to 'memory': it has no shadow
    return kept->a * kept->b;
}

int main(void)
{
    double x[2] = {2, 3}, bar[2] = {0, 0};
    __enzyme_autodiff((void *)f, x, bar);
    return 0;
}
