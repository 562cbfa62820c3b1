// Functions that stay calls take turns too: atomic and critical outside of any region that is in sight.
#include "../../check.h"
static double total, largest;

static void collect(const double *x, int n)
{
    if (n == 0)
        return;
    double own = x[0] * x[0];
#pragma omp atomic
    total += own * own;
#pragma omp critical(largest)
    {
        largest += 0.1 * own;
    }
    collect(x + 1, n - 1);
}
static double f(double *x, int n)
{
    total = largest = 0;
#pragma omp parallel for schedule(static, 1)
    for (int i = 0; i < 400; i++)
        collect(x + i % 5, n - i % 5);
    return total * 1e-3 + largest * largest * 1e-4;
}
GRADIENT(f)
int main(void)
{
    int bad = CHECK(f, 12);
    double x[12], bar[12] = {0}, before, after;
    for (int i = 0; i < 12; i++)
        x[i] = 1 + 0.1 * i;
    before = f(x, 12);
    f_gradient(x, bar, 12);
    after = total * 1e-3 + largest * largest * 1e-4;
    if (!(fabs(before - after) <= 1e-9 * fabs(before))) {
        printf("the sums are %.12g, not %.12g\n", after, before);
        bad = 1;
    }
    return bad;
}
