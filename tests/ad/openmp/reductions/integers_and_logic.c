// Reductions of integers and truth values steer active code.
#include "../../check.h"
static double f(double *x, int n)
{
    int all = 1, any = 0, count = 0, parity = 0, most = -1;
    unsigned mask = ~0u, seen = 0;
#pragma omp parallel for reduction(&& : all) reduction(|| : any) reduction(+ : count) reduction(^ : parity) reduction(& : mask) reduction(| : seen) reduction(max : most)
    for (int i = 0; i < n; i++) {
        all = all && x[i] > 0;
        any = any || x[i] > 1.1;
        count += x[i] > 0.9;
        parity ^= i;
        mask &= ~(1u << (i % 7));
        seen |= 1u << (i % 5);
        if (i > most && x[i] > 1)
            most = i;
    }
    double s = 0;
    if (all)
        s += x[0] * x[1];
    if (any)
        s *= x[2];
    for (int i = 0; i < count; i++)
        s += x[i] * x[i];
    s += x[parity % n] * x[most] * (double)(mask & 0xff) + x[seen % (unsigned)n];
    return s;
}
GRADIENT(f)
int main(void) { return CHECK(f, 20); }
