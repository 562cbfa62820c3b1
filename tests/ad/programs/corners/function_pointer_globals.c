/* Function pointers in global variables set at run time, in arrays in structs, returned by functions. */
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef double (*fn)(double);
extern int enzyme_out, enzyme_const;
double __enzyme_autodiff(void *, ...);

static double cube(double x) { return x * x * x; }
static double halve(double x) { return x / 2; }
static double recip(double x) { return 1 / x; }

static fn current = cube;
static struct { const char *name; fn f; } registry[] = {{"cube", cube}, {"halve", halve}, {"recip", recip}, {"exp", exp}};

static fn find(const char *name)
{
    for (unsigned i = 0; i < sizeof registry / sizeof *registry; i++)
        if (!strcmp(registry[i].name, name))
            return registry[i].f;
    return NULL;
}

double apply(double x, const char *name)
{
    fn f = find(name);
    return f ? f(current(x) + 1) * (*current)(x) : x;
}

int main(void)
{
    const char *names[] = {"cube", "halve", "recip", "exp", "missing"};
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 5; i++) {
            double g = __enzyme_autodiff((void *)apply, enzyme_out, 0.8, enzyme_const, names[i]);
            double fd = (apply(0.8 + 1e-6, names[i]) - apply(0.8 - 1e-6, names[i])) / 2e-6;
            if (!(fabs(g - fd) < 1e-7 * (1 + fabs(fd)))) {
                printf("round %d, %s: %g vs %g\n", round, names[i], g, fd);
                return 1;
            }
        }
        current = halve;
    }
    return 0;
}
