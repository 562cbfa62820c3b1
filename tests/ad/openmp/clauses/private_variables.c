// private in its forms: scalars, arrays, pointers, variables declared inside, the loop variable itself.
#include "../../check.h"
static double f(double *x, int n)
{
    double t, v[3], y[64], *p;
    int i, j;
    t = 5;
#pragma omp parallel for private(t, v, p, j)
    for (i = 0; i < n; i++) {
        t = x[i] * x[i];
        p = &x[(i + 1) % n];
        for (j = 0; j < 3; j++)
            v[j] = sin(t + j) * *p;
        y[i] = v[0] * v[1] + v[2];
        t = 0;
    }
    double s = t * x[0];
    for (i = 0; i < n; i++)
        s += y[i] * y[i];
    return s;
}
/* The private copy outlives an iteration: it is the thread's, and is set anew before every use. */
static double reused(double *x, int n)
{
    double buffer[4], s = 0;
#pragma omp parallel private(buffer)
    {
        double local[2] = {0, 0};
#pragma omp for
        for (int i = 0; i < n; i++) {
            buffer[i % 4] = x[i];
            buffer[(i + 1) % 4] = buffer[i % 4] * x[0];
            local[i % 2] += buffer[(i + 1) % 4] * buffer[i % 4];
        }
#pragma omp critical
        s += local[0] + 2 * local[1];
    }
    return s;
}
GRADIENT(f)
GRADIENT(reused)
int main(void) { return CHECK(f, 19) | CHECK(reused, 28); }
