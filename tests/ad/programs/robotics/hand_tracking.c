/* A hand of bones as a tree given by parent indices; residuals to points by linear blend skinning. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define BONES 5
#define POINTS 6
typedef struct { double r[3][3], t[3]; } transform;
extern int enzyme_dup, enzyme_const;
void __enzyme_autodiff(void *, ...);

static void compose(const transform *a, const transform *b, transform *out)
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            double s = 0;
            for (int k = 0; k < 3; k++)
                s += a->r[i][k] * b->r[k][j];
            out->r[i][j] = s;
        }
        out->t[i] = a->t[i];
        for (int k = 0; k < 3; k++)
            out->t[i] += a->r[i][k] * b->t[k];
    }
}

static void local(double angle, double twist, double length, transform *out)
{
    double c = cos(angle), s = sin(angle), ct = cos(twist), st = sin(twist);
    transform x = {{{c, -s * ct, s * st}, {s, c * ct, -c * st}, {0, st, ct}}, {length, 0, 0}};
    *out = x;
}

static void residuals(const double *theta, const int *parents, const double *rest, double *err)
{
    transform *global = malloc(BONES * sizeof(transform));
    for (int b = 0; b < BONES; b++) {
        transform l;
        local(theta[2 * b], theta[2 * b + 1], 1.0 - 0.1 * b, &l);
        if (parents[b] < 0)
            global[b] = l;
        else
            compose(&global[parents[b]], &l, &global[b]);
    }
    for (int p = 0; p < POINTS; p++)
        for (int c = 0; c < 3; c++) {
            double s = 0;
            for (int b = 0; b < BONES; b++) {
                double w = 1.0 / (1 + abs(p - b));
                double v = global[b].t[c];
                for (int k = 0; k < 3; k++)
                    v += global[b].r[c][k] * rest[3 * p + k];
                s += w * v;
            }
            err[3 * p + c] = s - 0.5 * p;
        }
    free(global);
}

int main(void)
{
    const int parents[BONES] = {-1, 0, 1, 0, 3};
    double theta[2 * BONES], dtheta[2 * BONES] = {0}, rest[3 * POINTS], err[3 * POINTS], seed[3 * POINTS], w[3 * POINTS];
    for (int i = 0; i < 2 * BONES; i++)
        theta[i] = 0.3 * sin(i + 1);
    for (int i = 0; i < 3 * POINTS; i++) {
        rest[i] = cos(2.0 * i);
        w[i] = seed[i] = sin(0.7 * i);
    }
    __enzyme_autodiff((void *)residuals, enzyme_dup, theta, dtheta, enzyme_const, parents, enzyme_const, rest, enzyme_dup, err, seed);
    for (int i = 0; i < 2 * BONES; i++) {
        double k = theta[i], up[3 * POINTS], down[3 * POINTS], fd = 0;
        theta[i] = k + 1e-6;
        residuals(theta, parents, rest, up);
        theta[i] = k - 1e-6;
        residuals(theta, parents, rest, down);
        theta[i] = k;
        for (int j = 0; j < 3 * POINTS; j++)
            fd += w[j] * (up[j] - down[j]) / 2e-6;
        if (!(fabs(fd - dtheta[i]) < 1e-7 * (1 + fabs(fd)))) {
            printf("theta[%d]: %g vs %g\n", i, dtheta[i], fd);
            return 1;
        }
    }
    return 0;
}
