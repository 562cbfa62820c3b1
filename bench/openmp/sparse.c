// size: 20000
// A chain of eight sparse matrix-vector products with a soft limit in between, 8 entries in each of `size` rows.
#include "../ad/gradient.h"

enum { PER_ROW = 8, CHAIN = 8 };

static double chained(const int *starts, const int *columns, const double *values, const double *x, double *work, int n)
{
    double sum = 0.0;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        work[i] = x[i];
    for (int c = 0; c < CHAIN; c++) {
        const double *from = work + (size_t)c * (size_t)n;
        double *to = work + (size_t)(c + 1) * (size_t)n;
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            double row = 0.0;
            for (int k = starts[i]; k < starts[i + 1]; k++)
                row += values[k] * from[columns[k]];
            to[i] = row / (1 + row * row);
        }
    }
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < n; i++)
        sum += work[(size_t)CHAIN * (size_t)n + (size_t)i] * (i % 3);
    return sum;
}

static struct array values, x;
static int *starts, *columns, n;
static double *work, *work_bar;
static void setup(int size)
{
    n = size;
    values = variables((size_t)(PER_ROW * n), -0.3, 0.6);
    x = variables((size_t)n, -1, 1);
    starts = malloc((size_t)(n + 1) * sizeof *starts);
    columns = malloc((size_t)(PER_ROW * n) * sizeof *columns);
    for (int i = 0; i <= n; i++)
        starts[i] = PER_ROW * i;
    for (int k = 0; k < PER_ROW * n; k++)
        columns[k] = (int)gradient_random(0, n);
    work = data((size_t)((CHAIN + 1) * n), 0, 0);
    work_bar = data((size_t)((CHAIN + 1) * n), 0, 0);
}
static double objective(void) { return chained(starts, columns, values.x, x.x, work, n); }
void __enzyme_autodiff(void *, ...);
static void gradient(void)
{
    __enzyme_autodiff((void *)chained, enzyme_const, starts, enzyme_const, columns, enzyme_dup, values.x, values.bar, enzyme_dup, x.x, x.bar, enzyme_dup,
                      work, work_bar, enzyme_const, n);
}
