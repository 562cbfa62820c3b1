// Softmax attention, heads and queries in parallel.
#include "../../check.h"
#define HEADS 2
#define LEN 4
#define DIM 3
static double f(double *x, int n)
{
    double out[HEADS][LEN][DIM], s = 0;
    const double *q = x, *k = x + 5, *v = x + 11;
#pragma omp parallel for collapse(2) schedule(dynamic)
    for (int h = 0; h < HEADS; h++)
        for (int i = 0; i < LEN; i++) {
            double score[LEN], top = -1e300, sum = 0;
            for (int j = 0; j < LEN; j++) {
                score[j] = 0;
                for (int d = 0; d < DIM; d++)
                    score[j] += q[(h * LEN + i) * DIM + d] * k[(h * LEN + j) * DIM + d];
                if (score[j] > top)
                    top = score[j];
            }
            for (int j = 0; j < LEN; j++)
                sum += score[j] = exp(score[j] - top);
            for (int d = 0; d < DIM; d++) {
                out[h][i][d] = 0;
                for (int j = 0; j < LEN; j++)
                    out[h][i][d] += score[j] / sum * v[(h * LEN + j) * DIM + d];
            }
        }
    (void)n;
#pragma omp parallel for collapse(3) reduction(+ : s)
    for (int h = 0; h < HEADS; h++)
        for (int i = 0; i < LEN; i++)
            for (int d = 0; d < DIM; d++)
                s += out[h][i][d] * out[h][LEN - 1 - i][d] * (1 + h);
    return s;
}
GRADIENT(f)
int main(void) { return CHECK(f, 11 + HEADS * LEN * DIM); }
