// Seven-point stencil in three dimensions with variable coefficients.
#include "kernel.h"

enum { N = 96 };

typedef double grid[N][N][N];

static grid u, v, k;

static void kernel(double (*restrict out)[N][N], double (*restrict in)[N][N], double (*restrict coefficient)[N][N])
{
    for (int x = 1; x < N - 1; x++)
        for (int y = 1; y < N - 1; y++)
            for (int z = 1; z < N - 1; z++) {
                double centre = in[x][y][z];
                double flow = in[x - 1][y][z] + in[x + 1][y][z] + in[x][y - 1][z] + in[x][y + 1][z] + in[x][y][z - 1] +
                              in[x][y][z + 1] - 6.0 * centre;
                out[x][y][z] = centre + coefficient[x][y][z] * flow;
            }
}

int main(void)
{
    double seconds, sum = 0.0;
    for (int x = 0; x < N; x++)
        for (int y = 0; y < N; y++)
            for (int z = 0; z < N; z++) {
                u[x][y][z] = kernel_random();
                k[x][y][z] = 0.1 * kernel_random();
            }
    KERNEL_TIME(seconds, 30, (kernel(v, u, k), kernel(u, v, k)));
    for (int x = 0; x < N; x++)
        for (int y = 0; y < N; y++)
            for (int z = 0; z < N; z++)
                sum += u[x][y][z];
    kernel_report(sum, seconds);
    return 0;
}
