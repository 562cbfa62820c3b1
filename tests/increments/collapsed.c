// grad: weigh
// no: iteration
// how: q[a * 64 + i]: plain
// how: k[a * 64 + j]: plain
#include <math.h>

/* Memory that was there before the call: derivatives look up its shadow for each thread. */
static double *table;
void keep(double *numbers) { table = numbers; }

void weigh(const double *q, const double *k, double *out, int heads)
{
#pragma omp parallel for collapse(2)
    for (int a = 0; a < heads; a++)
        for (int i = 0; i < 64; i++) {
            double sum = 0.0;
            for (int j = 0; j < 64; j++)
                sum += exp(q[a * 64 + i] * k[a * 64 + j]);
            out[a * 64 + i] = sum;
        }
}
