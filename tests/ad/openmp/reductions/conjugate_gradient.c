// The dot products of conjugate gradients, all iterations in one region.
#include "../../check.h"
static double solve(double *x, int n)
{
    double u[64] = {0}, r[64], p[64], ap[64], rr = 0, pap, rnew, alpha = 0, beta = 0;
    for (int i = 0; i < n; i++) {
        r[i] = p[i] = x[i];
        rr += r[i] * r[i];
    }
#pragma omp parallel default(none) shared(x, n, u, r, p, ap, rr, pap, rnew, alpha, beta)
    {
        for (int it = 0; it < 5; it++) {
#pragma omp single
            {
                pap = 0;
                rnew = 0;
            }
#pragma omp for reduction(+ : pap)
            for (int i = 0; i < n; i++) {
                ap[i] = (2.5 + x[i]) * p[i];
                if (i > 0)
                    ap[i] -= p[i - 1];
                if (i < n - 1)
                    ap[i] -= p[i + 1];
                pap += p[i] * ap[i];
            }
#pragma omp single
            alpha = rr / pap;
#pragma omp for reduction(+ : rnew)
            for (int i = 0; i < n; i++) {
                u[i] += alpha * p[i];
                r[i] -= alpha * ap[i];
                rnew += r[i] * r[i];
            }
#pragma omp single
            {
                beta = rnew / rr;
                rr = rnew;
            }
#pragma omp for
            for (int i = 0; i < n; i++)
                p[i] = r[i] + beta * p[i];
        }
    }
    double s = 0;
    for (int i = 0; i < n; i++)
        s += u[i] * (1 + i % 3);
    return s;
}
GRADIENT(solve)
int main(void) { return CHECK(solve, 14); }
