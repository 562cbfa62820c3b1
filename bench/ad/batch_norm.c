// size: 512
// Batch normalisation of `size` samples of 64 channels, and a loss.
#include "gradient.h"

enum { CHANNELS = 64 };

static void normalise(int n, const double *x, const double *scale, const double *shift, double *y)
{
    for (int c = 0; c < CHANNELS; c++) {
        double mean = 0.0, variance = 0.0;
        for (int i = 0; i < n; i++)
            mean += x[i * CHANNELS + c];
        mean /= n;
        for (int i = 0; i < n; i++) {
            double delta = x[i * CHANNELS + c] - mean;
            variance += delta * delta;
        }
        variance /= n;
        for (int i = 0; i < n; i++)
            y[i * CHANNELS + c] = scale[c] * (x[i * CHANNELS + c] - mean) / sqrt(variance + 1e-5) + shift[c];
    }
}

static double loss(int n, const double *x, const double *scale, const double *shift, const double *target)
{
    double *y = malloc((size_t)(n * CHANNELS) * sizeof *y), sum = 0.0;
    normalise(n, x, scale, shift, y);
    for (int i = 0; i < n * CHANNELS; i++)
        sum += (y[i] - target[i]) * (y[i] - target[i]);
    free(y);
    return sum / n;
}

static struct array x, scale, shift;
static double *target;
static int n;
static void setup(int size)
{
    n = size;
    x = variables((size_t)n * CHANNELS, -1, 1);
    scale = variables(CHANNELS, 0.5, 1.5);
    shift = variables(CHANNELS, -0.5, 0.5);
    target = data((size_t)n * CHANNELS, 0, 1);
}
static double objective(void) { return loss(n, x.x, scale.x, shift.x, target); }
void __enzyme_autodiff(void *, ...);
static void gradient(void)
{
    __enzyme_autodiff((void *)loss, enzyme_const, n, enzyme_dup, x.x, x.bar, enzyme_dup, scale.x, scale.bar, enzyme_dup, shift.x, shift.bar, enzyme_const,
                      target);
}
