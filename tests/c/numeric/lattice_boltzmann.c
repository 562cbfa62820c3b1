// D2Q9 lattice Boltzmann with a body force and walls.
#include "../check.h"
#include <string.h>

#define NX 8
#define NY 12
#define Q 9
static double f[NX][NY][Q], g[NX][NY][Q];
static const int cx[Q] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, cy[Q] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
static const int opposite[Q] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
static const double w[Q] = {4. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 36, 1. / 36, 1. / 36, 1. / 36};

static double equilibrium(int q, double rho, double ux, double uy)
{
    double cu = cx[q] * ux + cy[q] * uy;
    return w[q] * rho * (1 + 3 * cu + 4.5 * cu * cu - 1.5 * (ux * ux + uy * uy));
}

int main(void)
{
    for (int x = 0; x < NX; x++)
        for (int y = 0; y < NY; y++)
            for (int q = 0; q < Q; q++)
                f[x][y][q] = w[q];
    const double omega = 1.2, force = 1e-4;
    for (int t = 0; t < 200; t++) {
        for (int x = 0; x < NX; x++)
            for (int y = 0; y < NY; y++) {
                double rho = 0, ux = 0, uy = 0;
                for (int q = 0; q < Q; q++) {
                    rho += f[x][y][q];
                    ux += f[x][y][q] * cx[q];
                    uy += f[x][y][q] * cy[q];
                }
                ux /= rho;
                uy /= rho;
                for (int q = 0; q < Q; q++) {
                    double post = f[x][y][q] + omega * (equilibrium(q, rho, ux, uy) - f[x][y][q]) + 3 * w[q] * force * cx[q];
                    int nx = (x + cx[q] + NX) % NX, ny = y + cy[q];
                    if (ny < 0 || ny >= NY)
                        g[x][y][opposite[q]] = post; // bounce back
                    else
                        g[nx][ny][q] = post;
                }
            }
        memcpy(f, g, sizeof f);
    }
    double mass = 0, profile[NY];
    for (int y = 0; y < NY; y++) {
        profile[y] = 0;
        for (int q = 0; q < Q; q++)
            profile[y] += f[0][y][q] * cx[q];
        for (int x = 0; x < NX; x++)
            for (int q = 0; q < Q; q++)
                mass += f[x][y][q];
    }
    CHECK_NEAR(mass, NX * NY, 1e-10);
    for (int y = 0; y < NY / 2; y++) {
        CHECK_NEAR(profile[y], profile[NY - 1 - y], 1e-13);
        CHECK(y == 0 || profile[y] > profile[y - 1]);
        printf("%.10g\n", profile[y]);
    }
    return check_done();
}
