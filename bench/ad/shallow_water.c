// size: 50
// Shallow water on a periodic grid of 48², `size` Lax-Friedrichs steps over arrays of rows; the distance to wanted heights.
#include "gradient.h"

enum { N = 48 };

struct water {
    double h[N][N], hu[N][N], hv[N][N];
};

static void step(const struct water *now, struct water *next, double dt, double dx)
{
    const double g = 9.81;
    for (int i = 0; i < N; i++) {
        int up = (i + N - 1) % N, down = (i + 1) % N;
        for (int j = 0; j < N; j++) {
            int left = (j + N - 1) % N, right = (j + 1) % N;
            double hl = now->h[i][left], hr = now->h[i][right], hd = now->h[down][j], hp = now->h[up][j];
            double ul = now->hu[i][left], ur = now->hu[i][right], ud = now->hu[down][j], up_ = now->hu[up][j];
            double vl = now->hv[i][left], vr = now->hv[i][right], vd = now->hv[down][j], vp = now->hv[up][j];
            next->h[i][j] = 0.25 * (hl + hr + hd + hp) - dt / (2 * dx) * (ur - ul + vd - vp);
            next->hu[i][j] = 0.25 * (ul + ur + ud + up_) -
                             dt / (2 * dx) * (ur * ur / hr + 0.5 * g * hr * hr - ul * ul / hl - 0.5 * g * hl * hl + ud * vd / hd - up_ * vp / hp);
            next->hv[i][j] = 0.25 * (vl + vr + vd + vp) -
                             dt / (2 * dx) * (ur * vr / hr - ul * vl / hl + vd * vd / hd + 0.5 * g * hd * hd - vp * vp / hp - 0.5 * g * hp * hp);
        }
    }
}

static double distance(const double *height, const double *wanted, int steps)
{
    struct water *now = malloc(sizeof *now), *next = malloc(sizeof *next);
    double sum = 0.0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            now->h[i][j] = height[i * N + j];
            now->hu[i][j] = now->hv[i][j] = 0.0;
        }
    for (int t = 0; t < steps; t++) {
        step(now, next, 0.001, 0.05);
        struct water *other = now;
        now = next;
        next = other;
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double error = now->h[i][j] - wanted[i * N + j];
            sum += error * error;
        }
    free(now);
    free(next);
    return sum;
}

static struct array height;
static double *wanted;
static int steps;
static void setup(int size)
{
    steps = size;
    height = variables(N * N, 1, 1.2);
    wanted = data(N * N, 1, 1.2);
}
static double objective(void) { return distance(height.x, wanted, steps); }
void __enzyme_autodiff(void *, ...);
static void gradient(void) { __enzyme_autodiff((void *)distance, enzyme_dup, height.x, height.bar, enzyme_const, wanted, enzyme_const, steps); }
