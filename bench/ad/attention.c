// size: 64
// Attention with one head: `size` tokens of 32 numbers, projections, softmax over the earlier tokens, and a loss.
#include "gradient.h"

enum { D = 32 };

static void project(int n, const double *x, const double *w, double *y)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < D; j++) {
            double sum = 0.0;
            for (int k = 0; k < D; k++)
                sum += x[i * D + k] * w[k * D + j];
            y[i * D + j] = sum;
        }
}

static double attend(int n, const double *x, const double *wq, const double *wk, const double *wv, const double *target)
{
    size_t bytes = (size_t)(n * D) * sizeof(double);
    double *q = malloc(bytes), *k = malloc(bytes), *v = malloc(bytes), *score = malloc((size_t)n * sizeof *score), loss = 0.0;
    project(n, x, wq, q);
    project(n, x, wk, k);
    project(n, x, wv, v);
    for (int i = 0; i < n; i++) {
        double most = -INFINITY, total = 0.0;
        for (int j = 0; j <= i; j++) {
            score[j] = 0.0;
            for (int c = 0; c < D; c++)
                score[j] += q[i * D + c] * k[j * D + c];
            score[j] /= sqrt(D);
            if (score[j] > most)
                most = score[j];
        }
        for (int j = 0; j <= i; j++) {
            score[j] = exp(score[j] - most);
            total += score[j];
        }
        for (int c = 0; c < D; c++) {
            double out = 0.0;
            for (int j = 0; j <= i; j++)
                out += score[j] / total * v[j * D + c];
            double error = out - target[i * D + c];
            loss += error * error;
        }
    }
    free(q);
    free(k);
    free(v);
    free(score);
    return loss / n;
}

static struct array x, wq, wk, wv;
static double *target;
static int n;
static void setup(int size)
{
    n = size;
    x = variables((size_t)n * D, -1, 1);
    wq = variables(D * D, -0.3, 0.3);
    wk = variables(D * D, -0.3, 0.3);
    wv = variables(D * D, -0.3, 0.3);
    target = data((size_t)n * D, -1, 1);
}
static double objective(void) { return attend(n, x.x, wq.x, wk.x, wv.x, target); }
void __enzyme_autodiff(void *, ...);
static void gradient(void)
{
    __enzyme_autodiff((void *)attend, enzyme_const, n, enzyme_dup, x.x, x.bar, enzyme_dup, wq.x, wq.bar, enzyme_dup, wk.x, wk.bar, enzyme_dup, wv.x, wv.bar,
                      enzyme_const, target);
}
