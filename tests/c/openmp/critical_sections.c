// flags: -fopenmp
// Critical regions, named and unnamed, protecting compound updates.
#include "../check.h"

struct record { int value, index; };

int main(void)
{
    struct record best = {-1, -1};
    int count = 0, other = 0;
#pragma omp parallel for
    for (int i = 0; i < 500; i++) {
        int v = i * 263 % 499;
#pragma omp critical
        {
            if (v > best.value || (v == best.value && i < best.index)) {
                best.value = v;
                best.index = i;
            }
            count++;
        }
#pragma omp critical(second)
        other += i % 5;
    }
    CHECK(count == 500 && other == 1000 && best.value == 498);
    int local_total = 0;
#pragma omp parallel
    {
        int mine = 0;
#pragma omp for nowait
        for (int i = 0; i < 100; i++)
            mine += i;
#pragma omp critical(combine)
        local_total += mine;
    }
    CHECK(local_total == 4950);
    printf("%d %d\n", best.value, best.index);
    return check_done();
}
