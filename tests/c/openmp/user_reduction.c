// refuses: main
// flags: -fopenmp
// declare reduction on a struct; ordered output; nested parallel loops.
#include "../check.h"

typedef struct { int min, max; long count; } range;
static void merge(range *into, const range *from)
{
    if (from->min < into->min)
        into->min = from->min;
    if (from->max > into->max)
        into->max = from->max;
    into->count += from->count;
}
#pragma omp declare reduction(merge : range : merge(&omp_out, &omp_in)) initializer(omp_priv = (range){1000000, -1000000, 0})

int main(void)
{
    range r = {1000000, -1000000, 0};
#pragma omp parallel for reduction(merge : r)
    for (int i = 0; i < 777; i++) {
        int v = i * 389 % 1013 - 300;
        range one = {v, v, 1};
        merge(&r, &one);
    }
    CHECK(r.count == 777 && r.min == -300);
    printf("%d %d\n", r.min, r.max);
    int order[20], n = 0;
#pragma omp parallel for ordered schedule(dynamic)
    for (int i = 0; i < 20; i++) {
        int square = i * i;
#pragma omp ordered
        {
            order[n++] = square;
            printf("%d ", square);
        }
    }
    printf("\n");
    for (int i = 0; i < 20; i++)
        CHECK(order[i] == i * i);
    int table[6][6];
#pragma omp parallel for
    for (int i = 0; i < 6; i++)
#pragma omp parallel for
        for (int j = 0; j < 6; j++)
            table[i][j] = i * j;
    CHECK(table[5][5] == 25);
    return check_done();
}
