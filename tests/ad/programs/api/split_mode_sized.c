/* Split mode with a tape that the caller allocates: augmentsize, enzyme_allocated, enzyme_tape. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

extern int enzyme_dup, enzyme_const, enzyme_out, enzyme_allocated, enzyme_tape, enzyme_nofree;
size_t __enzyme_augmentsize(void *, ...);
void __enzyme_augmentfwd(void *, ...);
double __enzyme_reverse(void *, ...);

static double f(double x, double *a)
{
    double y = sin(x) * a[0];
    a[0] = y * y;
    return y * a[0] + x;
}

int main(void)
{
    double x = 0.9, a[1] = {1.4}, a0 = a[0], da[1] = {0};
    size_t size = __enzyme_augmentsize((void *)f, enzyme_out, enzyme_dup);
    void *tape = malloc(size ? size : 1);
    __enzyme_augmentfwd((void *)f, enzyme_allocated, size, enzyme_tape, tape, enzyme_out, x, enzyme_dup, a, da);
    double dx = __enzyme_reverse((void *)f, enzyme_allocated, size, enzyme_tape, tape, enzyme_out, x, enzyme_dup, a, da, 1.0);
    free(tape);
    /* y^3 + x with y = a sin x */
    double y = a0 * sin(x), wantx = 3 * y * y * a0 * cos(x) + 1, wanta = 3 * y * y * sin(x);
    if (!(fabs(dx - wantx) < 1e-13 && fabs(da[0] - wanta) < 1e-13)) {
        printf("%g vs %g, %g vs %g\n", dx, wantx, da[0], wanta);
        return 1;
    }
    return 0;
}
