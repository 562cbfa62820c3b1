// flags: -fopenmp
// private, firstprivate, lastprivate, and shared by default.
#include "../check.h"

int main(void)
{
    int t = -1, base = 100, last = 0, j, total = 0;
    double scale = 0.5, tail = 0;
    int out[50];
#pragma omp parallel for private(t, j) firstprivate(base, scale) lastprivate(last, tail) reduction(+ : total)
    for (int i = 0; i < 50; i++) {
        t = i * 2;
        for (j = 0; j < 3; j++)
            t += j;
        out[i] = t + base;
        last = i * 10;
        tail = i * scale;
        total += t;
    }
    CHECK(t == -1 && base == 100 && last == 490 && tail == 24.5);
    for (int i = 0; i < 50; i++)
        CHECK(out[i] == 2 * i + 103);
    int first[3] = {1, 2, 3}, seen = 0;
#pragma omp parallel firstprivate(first) reduction(+ : seen) num_threads(2)
    {
        first[1] += 5; // each thread's own copy
        seen += first[1] == 7;
    }
    CHECK(seen >= 1 && first[1] == 2);
    int i;
#pragma omp parallel for lastprivate(i)
    for (i = 0; i < 33; i++)
        out[i] = 0;
    CHECK(i == 33);
    printf("%d %d %.17g\n", total, last, tail);
    return check_done();
}
