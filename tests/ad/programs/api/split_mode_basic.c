/* Split mode: augmented forward, arguments overwritten in between, then the reverse sweep from the tape. */
#include <math.h>
#include <stdio.h>

extern int enzyme_dup, enzyme_const;
void *__enzyme_augmentfwd(void *, ...);
void __enzyme_reverse(void *, ...);

static double sum_of_products(double *x, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++) {
        x[i] = x[i] * x[i];
        s += x[i] * sin(x[i]);
    }
    return s;
}

int main(void)
{
    double x[4] = {0.5, 1.1, -0.7, 1.6}, keep[4], dx[4] = {0};
    for (int i = 0; i < 4; i++)
        keep[i] = x[i];
    void *tape = __enzyme_augmentfwd((void *)sum_of_products, enzyme_dup, x, dx, enzyme_const, 4);
    for (int i = 0; i < 4; i++) {
        if (!(fabs(x[i] - keep[i] * keep[i]) < 1e-15)) {
            printf("primal %d: %g\n", i, x[i]);
            return 1;
        }
        x[i] = -100; /* the tape must not depend on this */
    }
    __enzyme_reverse((void *)sum_of_products, enzyme_dup, x, dx, enzyme_const, 4, 2.0, tape);
    for (int i = 0; i < 4; i++) {
        double u = keep[i] * keep[i], want = 2.0 * (sin(u) + u * cos(u)) * 2 * keep[i];
        if (!(fabs(dx[i] - want) < 1e-13)) {
            printf("x[%d]: %g vs %g\n", i, dx[i], want);
            return 1;
        }
    }
    return 0;
}
