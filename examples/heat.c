// Heat on a rod: an explicit step per unit of time, two buffers swapped by pointer.
#include <math.h>
#include <stdio.h>

#define N 64

struct rod {
    double length;
    double diffusivity;
    int cells;
};

static void step(const struct rod *rod, const double *u, double *next, double dt)
{
    double h = rod->length / (rod->cells - 1);
    double r = rod->diffusivity * dt / (h * h);
    next[0] = u[0];
    next[rod->cells - 1] = u[rod->cells - 1];
    for (int i = 1; i < rod->cells - 1; i++)
        next[i] = u[i] + r * (u[i - 1] - 2.0 * u[i] + u[i + 1]);
}

static int settle(const struct rod *rod, double *u, double *next, double tolerance, double *change)
{
    int steps = 0;
    for (;;) {
        step(rod, u, next, 1e-4);
        *change = 0.0;
        for (int i = 0; i < rod->cells; i++)
            *change = fmax(*change, fabs(next[i] - u[i]));
        double *swap = u;
        u = next;
        next = swap;
        if (++steps == 5000 || *change < tolerance)
            break;
    }
    return steps;
}

int main(void)
{
    struct rod rod = {1.0, 1.0, N};
    double a[N] = {0}, b[N] = {0}, change;
    a[0] = 1.0;
    int steps = settle(&rod, a, b, 1e-7, &change);
    printf("%d steps, last change %.3g, middle %.6f\n", steps, change, a[N / 2]);
    return 0;
}
