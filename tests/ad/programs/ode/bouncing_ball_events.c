/* Event detection: a ball that bounces, the impact time solved inside the step; number of bounces depends on data. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

typedef struct { double g, restitution, height; } ball_t;
void __enzyme_autodiff(void *, ...);

static double drop(const ball_t *b, double t_end)
{
    double y = b->height, v = 0.0, t = 0.0, total = 0.0;
    bool done = false;
    do {
        /* y + v s - g s^2 / 2 = 0 */
        double s = (v + sqrt(v * v + 2.0 * b->g * y)) / b->g;
        if (t + s >= t_end) {
            s = t_end - t;
            done = true;
        }
        y = y + v * s - 0.5 * b->g * s * s;
        v = v - b->g * s;
        t += s;
        if (!done) {
            y = 0.0;
            total += v * v;
            v = -b->restitution * v;
        }
    } while (!done);
    return y + 0.01 * total;
}

int main(void)
{
    ball_t b = {9.81, 0.8, 1.5}, shadow = {0, 0, 0};
    __enzyme_autodiff((void *)drop, &b, &shadow, 3.0);
    double got[3] = {shadow.g, shadow.restitution, shadow.height};
    for (int i = 0; i < 3; i++) {
        ball_t hi = b, lo = b;
        double e = 1e-7;
        switch (i) {
        case 0: hi.g += e; lo.g -= e; break;
        case 1: hi.restitution += e; lo.restitution -= e; break;
        default: hi.height += e; lo.height -= e;
        }
        double fd = (drop(&hi, 3.0) - drop(&lo, 3.0)) / (2 * e);
        if (!(fabs(fd - got[i]) < 1e-5 * (1 + fabs(fd)))) {
            printf("component %d: %g, expected %g\n", i, got[i], fd);
            return 1;
        }
    }
    return 0;
}
