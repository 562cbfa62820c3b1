// size: 128
// Image registration: a picture of `size`² pixels is turned, scaled and shifted with bilinear interpolation and compared with another.
#include "gradient.h"

static double sampled(int n, const double *image, double x, double y)
{
    if (x < 0 || y < 0 || x >= n - 1 || y >= n - 1)
        return 0.0;
    int column = (int)x, row = (int)y;
    double fx = x - column, fy = y - row;
    const double *p = image + row * n + column;
    return (1 - fy) * ((1 - fx) * p[0] + fx * p[1]) + fy * ((1 - fx) * p[n] + fx * p[n + 1]);
}

static double difference(int n, const double *image, const double *target, const double *motion)
{
    double c = cos(motion[0]) * motion[1], s = sin(motion[0]) * motion[1], middle = 0.5 * n, sum = 0.0;
    for (int row = 0; row < n; row++)
        for (int column = 0; column < n; column++) {
            double dx = column - middle, dy = row - middle;
            double value = sampled(n, image, c * dx - s * dy + middle + motion[2], s * dx + c * dy + middle + motion[3]);
            double error = value - target[row * n + column];
            sum += error * error;
        }
    return sum / (n * n);
}

static struct array image, motion;
static double *target;
static int n;
static void setup(int size)
{
    n = size;
    image = variables((size_t)n * (size_t)n, 0, 1);
    target = data((size_t)n * (size_t)n, 0, 1);
    motion = variables(4, 0.1, 0.2);
    motion.x[1] = 0.6543217;
}
static double objective(void) { return difference(n, image.x, target, motion.x); }
void __enzyme_autodiff(void *, ...);
static void gradient(void)
{
    __enzyme_autodiff((void *)difference, enzyme_const, n, enzyme_dup, image.x, image.bar, enzyme_const, target, enzyme_dup, motion.x, motion.bar);
}
