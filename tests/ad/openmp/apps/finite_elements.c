// Assembly over elements: atomics to shared nodes, and by colours without them.
#include "../../check.h"
static const int tri[8][3] = {{0, 1, 4}, {0, 4, 3}, {1, 2, 5}, {1, 5, 4}, {3, 4, 7}, {3, 7, 6}, {4, 5, 8}, {4, 8, 7}};
static void local(const double *x, const int *t, double *out)
{
    double area = 0.5 + 0.1 * (x[t[0]] - x[t[1]]) * (x[t[2]] - x[t[1]]);
    for (int k = 0; k < 3; k++)
        out[k] = area * (2 * x[t[k]] - x[t[(k + 1) % 3]] * x[t[(k + 2) % 3]]);
}
static double assembled(double *x, int n)
{
    double residual[9] = {0}, s = 0;
#pragma omp parallel for
    for (int e = 0; e < 8; e++) {
        double r[3];
        local(x, tri[e], r);
        for (int k = 0; k < 3; k++) {
#pragma omp atomic
            residual[tri[e][k]] += r[k];
        }
    }
    for (int i = 0; i < n; i++)
        s += residual[i] * residual[i];
    return s;
}
static double coloured(double *x, int n)
{
    static const int colour[4][3] = {{0, 6, -1}, {1, 2, 7}, {3, 5, -1}, {4, -1, -1}};
    double residual[9] = {0}, s = 0;
    for (int c = 0; c < 8; c++) {
        /* element by element where colours would clash, in parallel where not */
        if (c < 4) {
#pragma omp parallel for
            for (int m = 0; m < 1; m++) {
                double r[3];
                int e = colour[c][m];
                if (e < 0)
                    continue;
                local(x, tri[e], r);
                for (int k = 0; k < 3; k++)
                    residual[tri[e][k]] += r[k];
            }
        }
    }
    for (int i = 0; i < n; i++)
        s += residual[i] * residual[i] * (i + 1);
    return s;
}
GRADIENT(assembled)
GRADIENT(coloured)
int main(void) { return CHECK(assembled, 9) | CHECK(coloured, 9); }
