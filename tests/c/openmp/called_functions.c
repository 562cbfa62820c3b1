// flags: -fopenmp -lm
// Functions called inside regions, orphaned worksharing, nested data.
#include "../check.h"
#include <math.h>

struct grid { int n; double cell[40][40]; };
static struct grid g = {.n = 40};

static double kernel(double x, double y) { return x * x - y * y + floor(x * y); }
static void fill_row(struct grid *p, int i)
{
    for (int j = 0; j < p->n; j++)
        p->cell[i][j] = kernel(i * 0.5, j * 0.25);
}
static void orphan(long *sum) // worksharing that binds to the caller's region
{
#pragma omp for
    for (int i = 0; i < 100; i++) {
        long t = (long)i * i;
#pragma omp atomic
        *sum += t;
    }
}

int main(void)
{
    double total = 0;
    long sum = 0;
#pragma omp parallel
    {
#pragma omp for schedule(dynamic, 2)
        for (int i = 0; i < g.n; i++)
            fill_row(&g, i);
#pragma omp for reduction(+ : total)
        for (int i = 0; i < g.n; i++)
            for (int j = 0; j < g.n; j++)
                total += g.cell[i][j]; // every term is a multiple of 1/16: exact
        orphan(&sum);
    }
    double expected = 0;
    for (int i = 0; i < 40; i++)
        for (int j = 0; j < 40; j++)
            expected += kernel(i * 0.5, j * 0.25);
    CHECK(total == expected && sum == 328350);
    orphan(&sum); // outside a region it runs alone
    CHECK(sum == 656700);
    printf("%.17g %ld\n", total, sum);
    return check_done();
}
