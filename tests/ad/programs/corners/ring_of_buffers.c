/* Three buffers rotated by an array of pointers indexed modulo, by pointer to pointer, and pointers kept in a struct. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct { double *old, *now, *new_; } levels;
void __enzyme_autodiff(void *, ...);

static void rotate(levels *l)
{
    double *t = l->old;
    l->old = l->now;
    l->now = l->new_;
    l->new_ = t;
}

double string_wave(const double *u0, int n, int steps)
{
    double *ring[3], s = 0;
    for (int k = 0; k < 3; k++) {
        ring[k] = malloc(n * sizeof(double));
        for (int i = 0; i < n; i++)
            ring[k][i] = k < 2 ? u0[i] : 0;
    }
    for (int t = 2; t < steps; t++) {
        double *a = ring[(t - 2) % 3], *b = ring[(t - 1) % 3], *c = ring[t % 3];
        for (int i = 0; i < n; i++)
            c[i] = 2 * b[i] - a[i] + 0.3 * (b[(i + 1) % n] - 2 * b[i] + b[(i + n - 1) % n]) * (1 + 0.1 * b[i]);
    }
    levels l = {ring[0], ring[1], ring[2]};
    for (int t = 0; t < 4; t++) {
        for (int i = 1; i < n; i++)
            l.new_[i] = l.now[i] * l.old[i - 1];
        l.new_[0] = l.old[0];
        rotate(&l);
    }
    for (int i = 0; i < n; i++)
        s += l.now[i] * (i + 1) + l.old[i] * l.old[i];
    free(ring[2]);
    free(ring[0]);
    free(ring[1]);
    return s;
}

int main(void)
{
    double u[6], g[6] = {0};
    for (int i = 0; i < 6; i++)
        u[i] = 0.8 + 0.2 * sin(i);
    __enzyme_autodiff((void *)string_wave, u, g, 6, 9);
    for (int i = 0; i < 6; i++) {
        double k = u[i];
        u[i] = k + 1e-6;
        double a = string_wave(u, 6, 9);
        u[i] = k - 1e-6;
        double b = string_wave(u, 6, 9);
        u[i] = k;
        if (!(fabs(g[i] - (a - b) / 2e-6) < 1e-6 * (1 + fabs(g[i])))) {
            printf("u[%d]: %g vs %g\n", i, g[i], (a - b) / 2e-6);
            return 1;
        }
    }
    return 0;
}
