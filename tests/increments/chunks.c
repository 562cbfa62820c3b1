// grad: chunked
// Chunks of several arrays: each thread has its own, and the arrays may overlap only as far as the loop goes.
// no: atomic
// how: m[i]: plain: each thread reads its own part
// how: e[i]: plain: each thread reads its own part
// how: w[j]: a copy for each thread
#include <math.h>

double chunked(int n, const double *m, const double *e, const double *w, double *out)
{
    double sum = 0.0;
#pragma omp parallel for schedule(guided) reduction(+ : sum)
    for (int i = 0; i < n; i++) {
        double x = m[i];
        for (int k = 0; k < 20 && fabs(x - e[i]) > 1e-3; k++)
            x = 0.5 * (x + e[i] * sin(x));
        for (int j = 0; j < i; j++)
            x += w[j] * x;
        out[i] = x;
        sum += x * x;
    }
    return sum;
}
