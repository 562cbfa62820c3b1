// flags: -fopenmp -lm
// The plain parallel for over independent iterations.
#include "../check.h"
#include <math.h>

#define N 1000
static double a[N], b[N], c[N];

int main(void)
{
    int i;
#pragma omp parallel for
    for (i = 0; i < N; i++) {
        a[i] = i * 0.5;
        b[i] = sqrt((double)i);
    }
#pragma omp parallel for shared(a, b, c) default(none)
    for (int k = 0; k < N; k++) {
        double t = a[k] * 2;
        if (k % 3 == 0)
            c[k] = t - b[k];
        else
            c[k] = t + b[k];
    }
#pragma omp parallel for if (N > 100) num_threads(2)
    for (int k = N - 1; k >= 0; k -= 2)
        c[k] += 1;
    for (i = 0; i < N; i++)
        CHECK(c[i] == i + (i % 3 ? 1 : -1) * sqrt((double)i) + (i % 2));
    printf("%.10g %.10g\n", c[10], c[999]);
    return check_done();
}
