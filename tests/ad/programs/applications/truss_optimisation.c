/* A small truss: assembly, Cholesky solve, compliance; areas optimised under a volume constraint. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NODES 4
#define BARS 6
#define DOF 4 /* the first two nodes are fixed */
typedef struct { int a, b; } bar;
typedef struct { double x, y; } node;
static const node nodes[NODES] = {{0, 0}, {0, 1}, {1, 0.1}, {1.2, 1}};
static const bar bars[BARS] = {{0, 2}, {1, 3}, {0, 3}, {1, 2}, {2, 3}, {0, 1}};

extern int enzyme_dup, enzyme_const;
double __enzyme_autodiff(void *, ...);

static void assemble(const double *area, double k[DOF][DOF])
{
    memset(k, 0, sizeof(double[DOF][DOF]));
    for (int e = 0; e < BARS; e++) {
        const node *p = &nodes[bars[e].a], *q = &nodes[bars[e].b];
        double dx = q->x - p->x, dy = q->y - p->y, len = sqrt(dx * dx + dy * dy), c[2] = {dx / len, dy / len};
        double stiffness = area[e] / len;
        int ends[2] = {bars[e].a, bars[e].b};
        for (int u = 0; u < 2; u++)
            for (int v = 0; v < 2; v++) {
                if (ends[u] < 2 || ends[v] < 2)
                    continue;
                for (int i = 0; i < 2; i++)
                    for (int j = 0; j < 2; j++)
                        k[2 * (ends[u] - 2) + i][2 * (ends[v] - 2) + j] += (u == v ? 1 : -1) * stiffness * c[i] * c[j];
            }
    }
}

static double compliance(const double *area, const double *load)
{
    double k[DOF][DOF], y[DOF], r = 0;
    assemble(area, k);
    for (int j = 0; j < DOF; j++)
        for (int i = j; i < DOF; i++) {
            double s = k[i][j];
            for (int p = 0; p < j; p++)
                s -= k[i][p] * k[j][p];
            k[i][j] = i == j ? sqrt(s) : s / k[j][j];
        }
    for (int i = 0; i < DOF; i++) {
        y[i] = load[i];
        for (int j = 0; j < i; j++)
            y[i] -= k[i][j] * y[j];
        y[i] /= k[i][i];
        r += y[i] * y[i];
    }
    return r;
}

int main(void)
{
    double area[BARS] = {1, 1, 1, 1, 1, 1}, load[DOF] = {0, -1, 0.2, -0.5};
    double first = compliance(area, load);
    for (int it = 0; it < 200; it++) {
        double g[BARS] = {0}, sum = 0;
        __enzyme_autodiff((void *)compliance, enzyme_dup, area, g, enzyme_const, load);
        if (it == 0) {
            for (int e = 0; e < BARS; e++) {
                double keep = area[e];
                area[e] = keep + 1e-6;
                double p = compliance(area, load);
                area[e] = keep - 1e-6;
                double m = compliance(area, load);
                area[e] = keep;
                if (!(fabs(g[e] - (p - m) / 2e-6) < 1e-6 * (1 + fabs(g[e])))) {
                    printf("bar %d: %g vs %g\n", e, g[e], (p - m) / 2e-6);
                    return 1;
                }
            }
        }
        for (int e = 0; e < BARS; e++)
            sum += area[e] = fmax(0.05, area[e] * sqrt(fmax(-g[e], 1e-12)));
        for (int e = 0; e < BARS; e++)
            area[e] *= 6 / sum;
    }
    if (!(compliance(area, load) < 0.8 * first)) {
        printf("compliance %g became %g\n", first, compliance(area, load));
        return 1;
    }
    return 0;
}
