// flags: -lm
// Cholesky factorisation in packed pointer style.
#include "../check.h"
#include <math.h>
#include <stdlib.h>

static int cholesky(double *a, int n) // lower triangle in place, row-major
{
    for (int j = 0; j < n; j++) {
        double *rj = a + j * n, d = rj[j];
        for (int k = 0; k < j; k++)
            d -= rj[k] * rj[k];
        if (d <= 0)
            return j + 1;
        d = sqrt(d);
        rj[j] = d;
        for (int i = j + 1; i < n; i++) {
            double *ri = a + i * n, s = ri[j];
            const double *p = ri, *q = rj;
            while (p < ri + j)
                s -= *p++ * *q++;
            ri[j] = s / d;
        }
    }
    return 0;
}

int main(void)
{
    enum { n = 8 };
    double *a = malloc(n * n * sizeof *a), *l = malloc(n * n * sizeof *l);
    if (!a || !l)
        return 9;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            l[i * n + j] = a[i * n + j] = 1.0 / (1 + abs(i - j)) + (i == j) * 0.5;
    CHECK(cholesky(l, n) == 0);
    double worst = 0, logdet = 0;
    for (int i = 0; i < n; i++) {
        logdet += 2 * log(l[i * n + i]);
        for (int j = 0; j <= i; j++) {
            double s = 0;
            for (int k = 0; k <= j; k++)
                s += l[i * n + k] * l[j * n + k];
            worst = fmax(worst, fabs(s - a[i * n + j]));
        }
    }
    CHECK_NEAR(worst, 0, 1e-14);
    printf("%.12g %.12g\n", logdet, l[n * n - 1]);
    a[0] = -1;
    CHECK(cholesky(a, n) == 1);
    free(a);
    free(l);
    return check_done();
}
