// size: 48
// Ray marching through a soft density of 12 blobs: a picture of `size`² pixels, 64 steps for each ray, compared with another picture.
#include "gradient.h"

enum { BLOBS = 12, STEPS = 64 };

struct blob {
    double x, y, z, radius, density, colour;
};

static double difference(int n, const struct blob *blobs, const double *target)
{
    double sum = 0.0, step = 2.0 / STEPS;
    for (int row = 0; row < n; row++)
        for (int column = 0; column < n; column++) {
            double x = 2.0 * (column + 0.5) / n - 1, y = 2.0 * (row + 0.5) / n - 1, light = 0.0, transmitted = 1.0;
            for (int k = 0; k < STEPS; k++) {
                double z = -1 + (k + 0.5) * step, density = 0.0, colour = 0.0;
                for (int b = 0; b < BLOBS; b++) {
                    double dx = x - blobs[b].x, dy = y - blobs[b].y, dz = z - blobs[b].z;
                    double q = (dx * dx + dy * dy + dz * dz) / (blobs[b].radius * blobs[b].radius);
                    if (q < 1) {
                        double w = blobs[b].density * (1 - q) * (1 - q);
                        density += w;
                        colour += w * blobs[b].colour;
                    }
                }
                if (density > 0) {
                    double passed = exp(-density * step);
                    light += transmitted * (1 - passed) * colour / density;
                    transmitted *= passed;
                }
                if (transmitted < 1e-3)
                    break;
            }
            double error = light - target[row * n + column];
            sum += error * error;
        }
    return sum / (n * n);
}

static struct array blobs;
static double *target;
static int n;
static void setup(int size)
{
    n = size;
    blobs = variables(BLOBS * 6, -0.6, 0.6);
    for (int b = 0; b < BLOBS; b++) {
        blobs.x[6 * b + 3] = gradient_random(0.3, 0.6);
        blobs.x[6 * b + 4] = gradient_random(1, 6);
        blobs.x[6 * b + 5] = gradient_random(0.2, 1);
    }
    target = data((size_t)n * (size_t)n, 0, 1);
}
static double objective(void) { return difference(n, (struct blob *)blobs.x, target); }
void __enzyme_autodiff(void *, ...);
static void gradient(void) { __enzyme_autodiff((void *)difference, enzyme_const, n, enzyme_dup, blobs.x, blobs.bar, enzyme_const, target); }
