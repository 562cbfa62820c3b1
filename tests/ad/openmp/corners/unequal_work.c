// Threads run different numbers of steps and take different branches; each keeps its own state.
#include "../../check.h"
#include <omp.h>
static double f(double *x, int n)
{
    double y[64] = {0}, s = 0;
#pragma omp parallel
    {
        int me = omp_get_thread_num(), all = omp_get_num_threads();
        for (int i = me; i < n; i += all) {
            double t = x[i];
            int k = 0;
            while (t < 3 && k < 30) {
                if (k % 3 == i % 3)
                    t += 0.3 * x[(i + k) % n];
                else
                    t *= 1.05;
                k++;
                if (i % 5 == 4 && k > 4)
                    break;
            }
            y[i] = t;
        }
    }
    for (int i = 0; i < n; i++)
        s += y[i] * y[i];
    return s;
}
GRADIENT(f)
int main(void) { return CHECK(f, 29); }
