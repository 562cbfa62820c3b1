/* Lennard-Jones energy with cell lists (head and next index arrays); forces as the negative gradient obey Newton's third law. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define CELLS 4
#define BOX 8.0
#define CUT 2.0
int enzyme_dup, enzyme_const;
double __enzyme_autodiff(void *, ...);

static int wrap(int c) { return (c + CELLS) % CELLS; }

double energy(const double *pos, int n)
{
    int head[CELLS][CELLS], *next = malloc(n * sizeof(int));
    for (int i = 0; i < CELLS; i++)
        for (int j = 0; j < CELLS; j++)
            head[i][j] = -1;
    for (int p = 0; p < n; p++) {
        int cx = (int)(pos[2 * p] / (BOX / CELLS)), cy = (int)(pos[2 * p + 1] / (BOX / CELLS));
        next[p] = head[cx][cy];
        head[cx][cy] = p;
    }
    double e = 0;
    for (int cx = 0; cx < CELLS; cx++)
        for (int cy = 0; cy < CELLS; cy++)
            for (int p = head[cx][cy]; p >= 0; p = next[p])
                for (int ox = -1; ox <= 1; ox++)
                    for (int oy = -1; oy <= 1; oy++)
                        for (int q = head[wrap(cx + ox)][wrap(cy + oy)]; q >= 0; q = next[q]) {
                            if (q <= p)
                                continue;
                            double dx = pos[2 * p] - pos[2 * q], dy = pos[2 * p + 1] - pos[2 * q + 1];
                            dx -= BOX * round(dx / BOX);
                            dy -= BOX * round(dy / BOX);
                            double r2 = dx * dx + dy * dy;
                            if (r2 > CUT * CUT)
                                continue;
                            double s6 = 1 / (r2 * r2 * r2);
                            e += 4 * (s6 * s6 - s6);
                        }
    free(next);
    return e;
}

int main(void)
{
    enum { N = 25 };
    double x[2 * N], g[2 * N] = {0};
    for (int i = 0; i < N; i++) {
        x[2 * i] = 0.8 + 1.5 * (i % 5) + 0.2 * sin(i);
        x[2 * i + 1] = 0.8 + 1.5 * (i / 5) + 0.2 * cos(3 * i);
    }
    __enzyme_autodiff((void *)energy, enzyme_dup, x, g, enzyme_const, N);
    double fx = 0, fy = 0;
    for (int i = 0; i < N; i++) {
        fx += g[2 * i];
        fy += g[2 * i + 1];
    }
    if (!(fabs(fx) < 1e-9 && fabs(fy) < 1e-9)) {
        printf("total force (%g, %g)\n", fx, fy);
        return 1;
    }
    for (int i = 0; i < 2 * N; i += 7) {
        double k = x[i];
        x[i] = k + 1e-6;
        double p = energy(x, N);
        x[i] = k - 1e-6;
        double m = energy(x, N);
        x[i] = k;
        double fd = (p - m) / 2e-6;
        if (!(fabs(fd - g[i]) < 1e-5 * (1 + fabs(fd)))) {
            printf("x[%d]: %g vs %g\n", i, g[i], fd);
            return 1;
        }
    }
    return 0;
}
