// size: 20000
// A map that is iterated a different number of times for each element, dealt out dynamically.
#include "../ad/gradient.h"
static double iterate(const double *c, double *out, int n)
{
    double sum = 0.0;
#pragma omp parallel for schedule(dynamic, 16) reduction(+ : sum)
    for (int i = 0; i < n; i++) {
        double z = 0.1;
        int steps = 10 + i % 97 + (i > n / 2 ? 100 : 0);
        for (int k = 0; k < steps; k++)
            z = z * z * 0.5 + c[i] * cos(z);
        out[i] = z;
        sum += z * z;
    }
    return sum;
}
static struct array c;
static double *out, *out_bar;
static int n;
static void setup(int size)
{
    n = size;
    c = variables((size_t)n, 0.1, 0.5);
    out = data((size_t)n, 0, 0);
    out_bar = data((size_t)n, 0, 0);
}
static double objective(void) { return iterate(c.x, out, n); }
void __enzyme_autodiff(void *, ...);
static void gradient(void) { __enzyme_autodiff((void *)iterate, enzyme_dup, c.x, c.bar, enzyme_dup, out, out_bar, enzyme_const, n); }
