/* Discounted value iteration of a small Markov decision process, hard max, until convergence. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { STATES = 4, ACTIONS = 2 };
extern int enzyme_dup, enzyme_const, enzyme_out;
double __enzyme_autodiff(void *, ...);

static const int next_state[STATES][ACTIONS] = {{1, 2}, {3, 0}, {3, 1}, {0, 2}};

double value(double discount, const double *reward, int start)
{
    double v[STATES] = {0}, w[STATES], gap;
    do {
        gap = 0;
        for (int s = 0; s < STATES; s++) {
            double best = -DBL_MAX;
            for (int a = 0; a < ACTIONS; a++) {
                double q = reward[s * ACTIONS + a] + discount * (0.8 * v[next_state[s][a]] + 0.2 * v[s]);
                best = q > best ? q : best;
            }
            w[s] = best;
            gap = fmax(gap, fabs(w[s] - v[s]));
        }
        memcpy(v, w, sizeof v);
    } while (gap > 1e-12);
    return v[start];
}

int main(void)
{
    double r[STATES * ACTIONS] = {1, 0.5, -0.2, 0.7, 2, 0.1, 0.4, -1}, dr[STATES * ACTIONS] = {0};
    double dg = __enzyme_autodiff((void *)value, enzyme_out, 0.9, enzyme_dup, r, dr, enzyme_const, 0);
    double fd = (value(0.9 + 1e-6, r, 0) - value(0.9 - 1e-6, r, 0)) / 2e-6;
    if (!(fabs(dg - fd) < 1e-5 * (1 + fabs(fd)))) {
        printf("discount: %g vs %g\n", dg, fd);
        return 1;
    }
    double s = 0;
    for (int i = 0; i < STATES * ACTIONS; i++)
        s += dr[i] * r[i];
    if (!(fabs(s - value(0.9, r, 0)) < 1e-9)) {
        printf("linearity: %g vs %g\n", s, value(0.9, r, 0));
        return 1;
    }
    return 0;
}
