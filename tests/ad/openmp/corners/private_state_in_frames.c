// Much private state: arrays, structs and heap blocks of a thread that live across loops and barriers, in a loop around the region.
#include "../../check.h"
#include <omp.h>
typedef struct { double sum, last[3]; int count; } record;
static double f(double *x, int n)
{
    double total = 0;
    for (int round = 0; round < 3; round++) {
#pragma omp parallel
        {
            record r = {0, {x[0], x[1], round}, 0};
            double *history = malloc(n * sizeof *history), table[8];
            int kept = 0;
            for (int k = 0; k < 8; k++)
                table[k] = x[k % n] * (k + 1 + round);
#pragma omp for
            for (int i = 0; i < n; i++) {
                history[kept++] = x[i] * table[i % 8];
                r.count++;
            }
            for (int k = 0; k < kept; k++) {
                r.sum += sin(history[k]) * history[k];
                history[k] *= 2;
            }
#pragma omp barrier
            for (int k = kept - 1; k >= 0; k--)
                r.sum += 0.1 * history[k] * r.last[0];
            r.last[1] = r.sum;
#pragma omp critical
            total += r.last[1];
            free(history);
        }
    }
    return total;
}
/* A private pointer walks over private and shared memory. */
static double walker(double *x, int n)
{
    double total = 0;
#pragma omp parallel reduction(+ : total)
    {
        double own[64], *p = own;
        int me = omp_get_thread_num(), all = omp_get_num_threads();
        for (int i = me; i < n; i += all)
            *p++ = x[i] * x[i];
        while (p != own) {
            --p;
            *p = sin(*p);
            total += *p;
        }
    }
    return total;
}
GRADIENT(f)
GRADIENT(walker)
int main(void)
{
    return CHECK(f, 19) | CHECK(walker, 23);
}
