/* Loop variables changed in the body, bounds changed in the loop, conditions with side effects, loops left by outer labels. */
#include <math.h>
#include <stdio.h>

double __enzyme_autodiff(void *, ...);

double games(const double *x, int n)
{
    double s = 1;
    int limit = n;
    for (int i = 0; i < limit; i++) {
        s += x[i] * s * 0.1;
        if (x[i] < 0)
            i++;
        if (s > 2.2)
            limit--;
    }
    int k = n;
    while (k-- && s < 50)
        s *= 1 + 0.2 * x[k] * x[k];
    for (int i = 0; i < n; i++) {
        for (int j = i; j < n; j++) {
            if (x[i] * x[j] < -0.9)
                goto out;
            if (j == 5)
                goto next;
            s += 0.05 * x[i] * x[j];
        }
    next:
        s += x[i];
    }
out:
    for (int lo = 0, hi = n; lo < hi;) {
        int mid = (lo + hi) / 2;
        s = s * 0.9 + x[mid];
        if (x[mid] < 0.3)
            lo = mid + 1;
        else
            hi = mid;
    }
    return s;
}

int main(void)
{
    double sets[3][7] = {{0.5, 0.2, -0.4, 0.9, 1.2, 0.1, 0.7}, {1.5, 1.2, 0.8, -0.9, 0.4, -1.1, 0.3}, {-0.2, -0.3, 0.6, 0.1, 0.4, 0.35, 2.0}};
    for (int set = 0; set < 3; set++) {
        double *x = sets[set], g[7] = {0};
        __enzyme_autodiff((void *)games, x, g, 7);
        for (int i = 0; i < 7; i++) {
            double k = x[i];
            x[i] = k + 1e-7;
            double p = games(x, 7);
            x[i] = k - 1e-7;
            double m = games(x, 7);
            x[i] = k;
            if (!(fabs(g[i] - (p - m) / 2e-7) < 1e-5 * (1 + fabs(g[i])))) {
                printf("set %d, x[%d]: %g vs %g\n", set, i, g[i], (p - m) / 2e-7);
                return 1;
            }
        }
    }
    return 0;
}
