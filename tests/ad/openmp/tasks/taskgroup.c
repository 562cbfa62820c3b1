#include "../../check.h"
static double f(double *x, int n)
{
    double part[4] = {0}, s = 0;
#pragma omp parallel num_threads(3)
    {
#pragma omp single
        {
#pragma omp taskgroup
            {
                for (int k = 0; k < 4; k++)
#pragma omp task shared(part) firstprivate(k)
                {
                    for (int i = k; i < n; i += 4)
                        part[k] += x[i] * x[i] * x[k];
                }
            }
            for (int k = 0; k < 4; k++)
                s += part[k] * part[3 - k];
        }
    }
    return s;
}
GRADIENT(f)
int main(void) { return CHECK(f, 15); }
