/* arrays of a thread's own that every iteration overwrites, on the stack and on the heap: they are kept, not undone */
#include "../../check.h"
#define D 6
static double attention(double *x, int n)
{
    double out[12 * D], s = 0;
    #pragma omp parallel for
    for (int i = 0; i < 12; i++) {
        double w[12], top = -1e30, z = 0;
        for (int j = 0; j < 12; j++) {
            double d = 0;
            for (int c = 0; c < D; c++) d += x[(i + c) % n] * x[(j + 2 * c) % n];
            w[j] = d * 0.3;
            if (w[j] > top) top = w[j];
        }
        for (int j = 0; j < 12; j++) { w[j] = exp(w[j] - top); z += w[j]; }
        for (int c = 0; c < D; c++) {
            double o = 0;
            for (int j = 0; j < 12; j++) o += w[j] * x[(j + c) % n];
            out[i * D + c] = o / z;
        }
    }
    for (int i = 0; i < 12 * D; i++) s += out[i] * out[i] * (1 + 0.1 * i);
    return s;
}
static double stages(double *x, int n)
{
    double s = 0;
    #pragma omp parallel reduction(+: s)
    {
        double *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b);
        #pragma omp for schedule(static, 2)
        for (int i = 0; i < 15; i++) {
            for (int j = 0; j < n; j++) a[j] = x[j] * sin(i + j);
            for (int t = 0; t < 3; t++) {
                for (int j = 0; j < n; j++) b[j] = a[j] * a[(j + 1) % n] + 0.5 * a[j];
                for (int j = 0; j < n; j++) a[j] = b[j] - 0.1 * b[j] * b[(j + 2) % n];
            }
            for (int j = 0; j < n; j++) s += a[j] * a[j];
        }
        free(a);
        free(b);
    }
    return s;
}
GRADIENT(attention)
GRADIENT(stages)
int main(void) { return CHECK(attention, 7) | CHECK(stages, 6); }
