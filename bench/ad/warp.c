// size: 128
// Image registration: a picture of `size`² pixels, each moved by its own way with bilinear interpolation, is compared with another; the motion is to be smooth.
#include "gradient.h"

static double sampled(int n, const double *image, double x, double y)
{
    x = x < 0 ? 0 : x > n - 1.001 ? n - 1.001 : x;
    y = y < 0 ? 0 : y > n - 1.001 ? n - 1.001 : y;
    int column = (int)x, row = (int)y;
    double fx = x - column, fy = y - row;
    const double *p = image + row * n + column;
    return (1 - fy) * ((1 - fx) * p[0] + fx * p[1]) + fy * ((1 - fx) * p[n] + fx * p[n + 1]);
}

static double difference(int n, const double *image, const double *target, const double *motion)
{
    double sum = 0.0, rough = 0.0;
    for (int row = 0; row < n; row++)
        for (int column = 0; column < n; column++) {
            const double *here = motion + 2 * (row * n + column);
            double error = sampled(n, image, column + here[0], row + here[1]) - target[row * n + column];
            sum += error * error;
            if (row > 0)
                rough += (here[0] - here[-2 * n]) * (here[0] - here[-2 * n]) + (here[1] - here[-2 * n + 1]) * (here[1] - here[-2 * n + 1]);
            if (column > 0)
                rough += (here[0] - here[-2]) * (here[0] - here[-2]) + (here[1] - here[-1]) * (here[1] - here[-1]);
        }
    return (sum + 0.1 * rough) / (n * n);
}

static struct array image, motion;
static double *target;
static int n;
static void setup(int size)
{
    n = size;
    image = variables((size_t)n * (size_t)n, 0, 1);
    target = data((size_t)n * (size_t)n, 0, 1);
    motion = variables(2 * (size_t)n * (size_t)n, 0.2, 0.8);
}
static double objective(void) { return difference(n, image.x, target, motion.x); }
void __enzyme_autodiff(void *, ...);
static void gradient(void)
{
    __enzyme_autodiff((void *)difference, enzyme_const, n, enzyme_dup, image.x, image.bar, enzyme_const, target, enzyme_dup, motion.x, motion.bar);
}
