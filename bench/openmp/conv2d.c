// size: 192
// A 5 × 5 convolution over an image, then a rectifier and a loss.
#include "../ad/gradient.h"

static double convolved(const double *image, const double *kernel, double *out, int n)
{
    double loss = 0.0;
    int m = n - 4;
#pragma omp parallel for collapse(2)
    for (int y = 0; y < m; y++)
        for (int x = 0; x < m; x++) {
            double sum = 0.0;
            for (int v = 0; v < 5; v++)
                for (int u = 0; u < 5; u++)
                    sum += image[(y + v) * n + x + u] * kernel[v * 5 + u];
            out[y * m + x] = sum > 0.0 ? sum : 0.0;
        }
#pragma omp parallel for reduction(+ : loss)
    for (int i = 0; i < m * m; i++)
        loss += 0.5 * out[i] * out[i];
    return loss;
}

static struct array image, kernel;
static double *out, *out_bar;
static int n;
static void setup(int size)
{
    n = size;
    image = variables((size_t)(n * n), 0, 1);
    kernel = variables(25, -0.3, 0.5);
    out = data((size_t)(n * n), 0, 0);
    out_bar = data((size_t)(n * n), 0, 0);
}
static double objective(void) { return convolved(image.x, kernel.x, out, n); }
void __enzyme_autodiff(void *, ...);
static void gradient(void)
{
    __enzyme_autodiff((void *)convolved, enzyme_dup, image.x, image.bar, enzyme_dup, kernel.x, kernel.bar, enzyme_dup, out, out_bar, enzyme_const, n);
}
