// Gray-Scott reaction-diffusion in float with padded borders.
#include "../check.h"
#include <string.h>

#define N 32
typedef float plane[N + 2][N + 2];
static plane u, v, u2, v2;

static void wrap(plane p)
{
    for (int i = 0; i < N + 2; i++) {
        p[i][0] = p[i][N];
        p[i][N + 1] = p[i][1];
    }
    memcpy(p[0], p[N], sizeof p[0]);
    memcpy(p[N + 1], p[1], sizeof p[0]);
}
static inline float laplace(plane p, int i, int j) { return p[i - 1][j] + p[i + 1][j] + p[i][j - 1] + p[i][j + 1] - 4 * p[i][j]; }

int main(void)
{
    const float du = 0.16f, dv = 0.08f, feed = 0.035f, kill = 0.065f;
    for (int i = 0; i < N + 2; i++)
        for (int j = 0; j < N + 2; j++) {
            int center = i > 12 && i < 20 && j > 12 && j < 20;
            u[i][j] = center ? 0.5f : 1;
            v[i][j] = center ? 0.25f : 0;
        }
    for (int t = 0; t < 100; t++) {
        wrap(u);
        wrap(v);
        for (int i = 1; i <= N; i++)
            for (int j = 1; j <= N; j++) {
                float r = u[i][j] * v[i][j] * v[i][j];
                u2[i][j] = u[i][j] + du * laplace(u, i, j) - r + feed * (1 - u[i][j]);
                v2[i][j] = v[i][j] + dv * laplace(v, i, j) + r - (feed + kill) * v[i][j];
            }
        memcpy(u, u2, sizeof u);
        memcpy(v, v2, sizeof v);
    }
    double total = 0;
    for (int i = 1; i <= N; i++)
        for (int j = 1; j <= N; j++) {
            CHECK(u[i][j] >= 0 && u[i][j] <= 1 && v[i][j] >= 0 && v[i][j] <= 1);
            CHECK_NEAR(u[i][j], u[j][i], 1e-4);
            total += v[i][j];
        }
    printf("%.6f %.6f\n", total, (double)u[16][16]);
    return check_done();
}
