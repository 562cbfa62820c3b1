/* Cholesky factor in packed storage, log determinant: the gradient is the inverse matrix. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

extern int enzyme_const;
extern int enzyme_dup;
void __enzyme_autodiff(void *, ...);

static size_t at(size_t i, size_t j) { return i * (i + 1) / 2 + j; }

static double logdet(const double *a, size_t n)
{
    double *l = malloc(n * (n + 1) / 2 * sizeof(double)), s = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++) {
            double v = a[at(i, j)];
            for (size_t k = 0; k < j; k++)
                v -= l[at(i, k)] * l[at(j, k)];
            l[at(i, j)] = i == j ? sqrt(v) : v / l[at(j, j)];
        }
    for (size_t i = 0; i < n; i++)
        s += 2 * log(l[at(i, i)]);
    free(l);
    return s;
}

int main(void)
{
    /* The matrix [[4,1,0],[1,3,1],[0,1,2]] has determinant 18; its inverse times 18 is below. */
    double a[6] = {4, 1, 3, 0, 1, 2}, d[6] = {0};
    const double cofactor[6] = {5, -2, 8, 1, -4, 11};
    __enzyme_autodiff((void *)logdet, enzyme_dup, a, d, enzyme_const, (size_t)3);
    for (int i = 0; i < 6; i++) {
        int diagonal = i == 0 || i == 2 || i == 5;
        double want = (diagonal ? 1 : 2) * cofactor[i] / 18;
        if (!(fabs(d[i] - want) < 1e-12)) {
            printf("entry %d: %.15g, expected %.15g\n", i, d[i], want);
            return 1;
        }
    }
    return 0;
}
