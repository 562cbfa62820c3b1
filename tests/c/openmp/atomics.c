// flags: -fopenmp
// Atomic update, read, write and capture.
#include "../check.h"

int main(void)
{
    int counter = 0, tickets[200], seen[200] = {0}, flag = 0, copy = -1;
    long sum = 0;
    double exact = 0;
    unsigned bits = 0;
#pragma omp parallel for
    for (int i = 0; i < 200; i++) {
        int ticket;
#pragma omp atomic capture
        ticket = counter++;
        tickets[i] = ticket;
#pragma omp atomic
        sum += i;
#pragma omp atomic update
        exact = exact + 0.25;
#pragma omp atomic
        bits |= 1u << (i % 32);
#pragma omp atomic write
        flag = 7;
    }
#pragma omp atomic read
    copy = flag;
    CHECK(counter == 200 && sum == 19900 && exact == 50 && bits == 0xffffffffu && copy == 7);
    for (int i = 0; i < 200; i++)
        seen[tickets[i]]++;
    for (int i = 0; i < 200; i++)
        CHECK(seen[i] == 1);
    int after, before;
#pragma omp atomic capture
    { before = counter; counter += 5; }
#pragma omp atomic capture
    after = counter -= 2;
    CHECK(before == 200 && after == 203);
    int histogram[4] = {0};
#pragma omp parallel for
    for (int i = 0; i < 100; i++)
#pragma omp atomic
        histogram[i & 3] += 2;
    CHECK(histogram[3] == 50);
    printf("%d %ld %.17g\n", counter, sum, exact);
    return check_done();
}
