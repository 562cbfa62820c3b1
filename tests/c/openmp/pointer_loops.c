// flags: -fopenmp
// Parallel loops over pointers, unsigned loops that count down, parallel master.
#include "../check.h"

static double table[1000];

static double sum_of(const double *a, int n)
{
    double sum = 0;
    const double *p;
#pragma omp parallel for reduction(+ : sum)
    for (p = a; p < a + n; p++)
        sum += *p;
    return sum;
}

static void scale(double *a, int n, double by)
{
#pragma omp parallel for
    for (double *p = a + n - 1; p >= a; p -= 2)
        *p *= by;
}

static unsigned long downwards(unsigned n)
{
    unsigned long sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (unsigned i = n; i > 0; i--)
        sum += i;
    return sum;
}

static const double *where_it_ends(const double *a, int n)
{
    const double *p;
#pragma omp parallel for lastprivate(p)
    for (p = a; p < a + n; p = p + 3)
        ;
    return p;
}

static int once(void)
{
    int count = 0;
#pragma omp parallel master shared(count)
    {
        count++;
    }
    return count;
}

int main(void)
{
    for (int i = 0; i < 1000; i++)
        table[i] = i;
    CHECK(sum_of(table, 1000) == 499500.0);
    CHECK(sum_of(table, 0) == 0.0);
    scale(table, 1000, 2.0);
    CHECK(table[999] == 1998.0 && table[998] == 998.0 && table[1] == 2.0 && table[0] == 0.0);
    CHECK(downwards(100) == 5050);
    CHECK(where_it_ends(table, 10) - table == 12);
    CHECK(once() == 1);
    printf("%g\n", sum_of(table, 1000));
    return check_done();
}
