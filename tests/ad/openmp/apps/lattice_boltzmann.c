// D2Q9: collide and stream, pull form, in a region around the time loop.
#include "../../check.h"
#define NX 6
#define NY 5
#define Q 9
static const int cx[Q] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, cy[Q] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
static const double w[Q] = {4. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 36, 1. / 36, 1. / 36, 1. / 36};
typedef double lattice[NX][NY][Q];
static double f(double *x, int n)
{
    lattice *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    double s = 0, omega = 0.8 + 0.2 * x[0];
    for (int i = 0; i < NX; i++)
        for (int j = 0; j < NY; j++)
            for (int q = 0; q < Q; q++)
                (*a)[i][j][q] = w[q] * (1 + 0.05 * x[(i * NY + j) % n] * (1 + q % 3));
#pragma omp parallel
    {
        lattice *from = a, *to = b;
        for (int step = 0; step < 4; step++) {
#pragma omp for collapse(2)
            for (int i = 0; i < NX; i++)
                for (int j = 0; j < NY; j++) {
                    double in[Q], rho = 0, ux = 0, uy = 0;
                    for (int q = 0; q < Q; q++) {
                        in[q] = (*from)[(i - cx[q] + NX) % NX][(j - cy[q] + NY) % NY][q];
                        rho += in[q];
                        ux += cx[q] * in[q];
                        uy += cy[q] * in[q];
                    }
                    ux /= rho;
                    uy /= rho;
                    for (int q = 0; q < Q; q++) {
                        double cu = cx[q] * ux + cy[q] * uy;
                        double eq = w[q] * rho * (1 + 3 * cu + 4.5 * cu * cu - 1.5 * (ux * ux + uy * uy));
                        (*to)[i][j][q] = in[q] + omega * (eq - in[q]);
                    }
                }
            lattice *t = from;
            from = to;
            to = t;
        }
#pragma omp for reduction(+ : s)
        for (int i = 0; i < NX; i++)
            for (int j = 0; j < NY; j++)
                for (int q = 0; q < Q; q++)
                    s += (*from)[i][j][q] * (*from)[i][j][q] * (1 + i);
    }
    free(a);
    free(b);
    return s;
}
GRADIENT(f)
int main(void) { return CHECK(f, 12); }
