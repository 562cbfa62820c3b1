// flags: -fopenmp
// The forms of atomic constructs: volatile objects, truth values, conversions, and captures before and after.
#include "../check.h"

static volatile int v = 9;
static volatile unsigned char small = 250;
static _Bool flag, old_flag;
static long wide = 80;
static int narrow;
static float real = 1.5f;
static int asked;
static int next(void)
{
    return asked++ % 2;
}

int main(void)
{
#pragma omp atomic
    v++;
#pragma omp atomic
    v -= 3;
#pragma omp atomic
    small += 10;
    CHECK(v == 7 && small == 4);
#pragma omp atomic capture
    old_flag = flag++;
    CHECK(flag == 1 && old_flag == 0);
#pragma omp atomic capture
    {
        flag |= 1;
        old_flag = flag;
    }
    CHECK(flag == 1 && old_flag == 1);
#pragma omp atomic
    wide += 0;
#pragma omp atomic read
    narrow = wide;
    CHECK(narrow == 80);
#pragma omp atomic capture
    narrow = wide += 4;
    CHECK(narrow == 84 && wide == 84);
#pragma omp atomic capture
    {
        narrow = wide;
        wide *= 2;
    }
    CHECK(narrow == 84 && wide == 168);
    short b = 1, a;
    int c = 3;
#pragma omp atomic capture
    a = b = c << b;
    CHECK(a == 6 && b == 6);
    // What is stored may change others on the way.
    int old, beside;
#pragma omp atomic capture
    {
        old = wide;
        wide = beside = c++ + 3;
    }
    CHECK(old == 168 && wide == 6 && beside == 6 && c == 4);
#pragma omp atomic
    real = 2 * real;
#pragma omp atomic write
    narrow = 4;
    CHECK(real == 3.0f && narrow == 4);
    // Places that are found by branches and functions, once.
    int places[2] = {0};
#pragma omp atomic
    places[narrow > 3 ? 1 : 0] += 2;
#pragma omp atomic
    places[narrow > 3 && c > 3]--;
#pragma omp atomic
    places[next()] += 5;
#pragma omp atomic capture
    old = places[next()]++;
    CHECK(places[0] == 5 && places[1] == 2 && old == 1 && asked == 2);

    int marks[20] = {0};
    unsigned long long i;
#pragma omp parallel for
    for (i = 1ull << 40; i != (1ull << 40) - 20; i -= 3 - 2)
        marks[(1ull << 40) - i]++;
    int sum = 0;
    for (int k = 0; k < 20; k++)
        sum += marks[k];
    CHECK(sum == 20);
    return check_done();
}
