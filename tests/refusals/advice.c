// Advice to the system about pages: some of it clears them.
#include <stdlib.h>
void __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
int madvise(void *, size_t, int);

enum { SEQUENTIAL = 2, DONTNEED = 4 };

static double reverse(double *x)
{
    double *y = aligned_alloc(4096, 4096);
    madvise(y, 4096, SEQUENTIAL);
    y[0] = x[0];
    madvise(y, 4096, DONTNEED); // error: cannot differentiate 'y': this advice of 'madvise' may clear it
    return y[0] * x[0];
}

static double forward(double *x, int advice)
{
    double *y = aligned_alloc(4096, 4096);
    y[0] = x[0];
    madvise(y, 4096, advice); // error: cannot differentiate 'y': this advice of 'madvise' may clear it
    return y[0] * x[0];
}

int main(void)
{
    double x = 1, bar = 0;
    __enzyme_autodiff((void *)reverse, &x, &bar);
    return __enzyme_fwddiff((void *)forward, &x, &bar, 2) > 0;
}
