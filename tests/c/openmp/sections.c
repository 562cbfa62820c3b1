// flags: -fopenmp
// Independent sections, combined and separate from the parallel region.
#include "../check.h"

static long triangle(int n) { long s = 0; for (int i = 1; i <= n; i++) s += i; return s; }
static long squares(int n) { long s = 0; for (int i = 1; i <= n; i++) s += (long)i * i; return s; }

int main(void)
{
    long a = 0, b = 0, c = 0, total = 0;
#pragma omp parallel sections
    {
#pragma omp section
        a = triangle(100);
#pragma omp section
        {
            b = squares(50);
            b += 1;
        }
#pragma omp section
        c = triangle(10) * 2;
    }
    CHECK(a == 5050 && b == 42926 && c == 110);
    int last = 0;
#pragma omp parallel
    {
#pragma omp sections reduction(+ : total) lastprivate(last)
        {
            total += a;
#pragma omp section
            total += b;
#pragma omp section
            {
                total += c;
                last = 3;
            }
        }
    }
    CHECK(total == a + b + c && last == 3);
    printf("%ld\n", total);
    return check_done();
}
