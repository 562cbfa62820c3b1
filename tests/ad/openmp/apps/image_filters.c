/* convolution with clamped edges, then a bilateral filter */
#include "../../check.h"
#define H 6
#define W 7
static inline int clamp(int v, int hi) { return v < 0 ? 0 : v > hi ? hi : v; }
static void convolve(const double *in, const double *kernel, double *out)
{
    #pragma omp parallel for collapse(2)
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            double acc = 0;
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++)
                    acc += in[clamp(y + dy, H - 1) * W + clamp(x + dx, W - 1)] * kernel[(dy + 1) * 3 + dx + 1];
            out[y * W + x] = acc;
        }
}
static void bilateral(const double *in, double *out, double range)
{
    #pragma omp parallel for schedule(dynamic, 2)
    for (int p = 0; p < H * W; p++) {
        int y = p / W, x = p % W;
        double sum = 0, weight = 0;
        for (int v = y > 0 ? y - 1 : 0; v <= y + 1 && v < H; v++)
            for (int u = x > 0 ? x - 1 : 0; u <= x + 1 && u < W; u++) {
                double d = in[v * W + u] - in[p], w = exp(-d * d / range);
                sum += w * in[v * W + u];
                weight += w;
            }
        out[p] = sum / weight;
    }
}
static double f(double *x, int n)
{
    double a[H * W], b[H * W], s = 0;
    (void)n;
    convolve(x + 9, x, a);
    bilateral(a, b, 0.5 + x[0]);
    #pragma omp parallel for reduction(+:s)
    for (int p = 0; p < H * W; p++) s += (b[p] - 1) * (b[p] - 1);
    return s;
}
GRADIENT(f)
int main(void) { return CHECK(f, 9 + H * W); }
