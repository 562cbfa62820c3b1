// grad: right
// Indices that go around, in a type without a sign: `i - 1 >= n - 2` holds for the first index, too, where `i - 1` is larger than all else, so two threads may read the first element.
// how: x[j]: recorded
// how: z[k]: plain: each thread reads its own part
#include <math.h>

void right(unsigned n, const double *x, const double *z, double *y)
{
#pragma omp parallel for
    for (unsigned i = 0; i < n; i++) {
        unsigned j = i - 1 >= n - 2 ? 0 : i + 1, k = i + 1 >= n ? 0 : i + 1;
        y[i] += sin(x[j]) * z[k] * z[k];
    }
}
