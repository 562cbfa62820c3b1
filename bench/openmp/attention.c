// size: 800
// One head of attention: `size` queries, 64 numbers each.
#include "../ad/gradient.h"
enum { D = 64 };
static double attend(const double *q, const double *k, const double *v, int n)
{
    double loss = 0.0;
#pragma omp parallel for reduction(+ : loss)
    for (int i = 0; i < n; i++) {
        double *score = malloc(sizeof(double) * (size_t)n), out[D] = {0}, largest = -1e300, total = 0.0;
        for (int j = 0; j < n; j++) {
            double s = 0.0;
            for (int d = 0; d < D; d++)
                s += q[i * D + d] * k[j * D + d];
            score[j] = s / 8.0;
            if (score[j] > largest)
                largest = score[j];
        }
        for (int j = 0; j < n; j++) {
            score[j] = exp(score[j] - largest);
            total += score[j];
        }
        for (int j = 0; j < n; j++)
            for (int d = 0; d < D; d++)
                out[d] += score[j] / total * v[j * D + d];
        for (int d = 0; d < D; d++)
            loss += out[d] * out[d];
        free(score);
    }
    return loss / n;
}
static struct array q, k, v;
static int n;
static void setup(int size)
{
    n = size;
    q = variables((size_t)(n * D), -1, 1);
    k = variables((size_t)(n * D), -1, 1);
    v = variables((size_t)(n * D), -1, 1);
}
static double objective(void) { return attend(q.x, k.x, v.x, n); }
void __enzyme_autodiff(void *, ...);
static void gradient(void) { __enzyme_autodiff((void *)attend, enzyme_dup, q.x, q.bar, enzyme_dup, k.x, k.bar, enzyme_dup, v.x, v.bar, enzyme_const, n); }
