// Bodies with branches, continue, inner loops of unknown length and switches.
#include "../../check.h"
static double f(double *x, int n)
{
    double y[64], s = 0;
#pragma omp parallel for schedule(dynamic, 2)
    for (int i = 0; i < n; i++) {
        y[i] = 0;
        if (i % 4 == 3)
            continue;
        double t = x[i];
        int steps = 0;
        while (t > 0.2 && steps < 20) {
            t *= 0.5 + 0.2 * x[(i + steps) % n];
            steps++;
        }
        switch (i % 3) {
        case 0:
            y[i] = t * t;
            break;
        case 1:
            y[i] = sin(t);
            /* fall through */
        default:
            y[i] += t;
        }
        for (int k = 0;; k++) {
            if (k > i || y[i] > 4)
                break;
            y[i] += 0.01 * x[k];
        }
    }
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++) {
        if (x[i] > 1.0)
            s += y[i] * x[i];
        else
            s -= y[i] * y[i];
    }
    return s;
}
GRADIENT(f)
int main(void) { return CHECK(f, 27); }
