/* A registered custom gradient for a function on pointers, deliberately scaled so that its use can be seen. */
#include <math.h>
#include <stdio.h>

void __enzyme_autodiff(void *, ...);
static int augmented_calls, gradient_calls;

__attribute__((noinline)) void square_(const double *src, double *dest) { *dest = *src * *src; }

void augment_square_(const double *src, const double *d_src, double *dest, double *d_dest)
{
    (void)d_src;
    (void)d_dest;
    augmented_calls++;
    *dest = *src * *src;
}

void gradient_square_(const double *src, double *d_src, const double *dest, double *d_dest)
{
    (void)dest;
    gradient_calls++;
    *d_src += 100 * *d_dest * *src; /* on purpose: not the true derivative */
    *d_dest = 0;
}

void *__enzyme_register_gradient_square[] = {(void *)square_, (void *)augment_square_, (void *)gradient_square_};

static double outer(const double *x)
{
    double y;
    square_(x, &y);
    return 3 * y + x[0];
}

int main(void)
{
    double x = 2, dx = 0;
    __enzyme_autodiff((void *)outer, &x, &dx);
    if (dx != 601 || augmented_calls != 1 || gradient_calls != 1) {
        printf("dx = %g, calls %d and %d\n", dx, augmented_calls, gradient_calls);
        return 1;
    }
    return 0;
}
