// grad: anomalies
// Iterations of unequal work in a fused region: any thread may run any of them.
// no: atomic
// how: m[i]: plain: each thread reads its own part
// some: omp for schedule(dynamic)
#include <math.h>

double anomalies(int n, const double *m, const double *e, double *out)
{
    double sum = 0.0;
#pragma omp parallel for schedule(dynamic, 8) reduction(+ : sum)
    for (int i = 0; i < n; i++) {
        double x = m[i];
        for (int k = 0; k < 50; k++) {
            double f = x - e[i] * sin(x) - m[i];
            x -= f / (1 - e[i] * cos(x));
            if (fabs(f) < 1e-12)
                break;
        }
        out[i] = x;
        sum += cos(x) * i;
    }
    return sum;
}
