// size: 2000
// The cost of k-means with 16 centres in 8 dimensions: the squared distance of each of `size` points to the nearest centre.
#include "gradient.h"

enum { D = 8, K = 16 };

static double cost(int n, int k, int d, const double *points, const double *centres)
{
    double total = 0.0;
    for (int i = 0; i < n; i++) {
        double nearest = INFINITY;
        for (int j = 0; j < k; j++) {
            double distance = 0.0;
            for (int c = 0; c < d; c++) {
                double delta = points[i * d + c] - centres[j * d + c];
                distance += delta * delta;
            }
            if (distance < nearest)
                nearest = distance;
        }
        total += nearest;
    }
    return total;
}

static struct array points, centres;
static int n;
static void setup(int size)
{
    n = size;
    points = variables((size_t)n * D, -1, 1);
    centres = variables(K * D, -1, 1);
}
static double objective(void) { return cost(n, K, D, points.x, centres.x); }
void __enzyme_autodiff(void *, ...);
static void gradient(void)
{
    __enzyme_autodiff((void *)cost, enzyme_const, n, enzyme_const, K, enzyme_const, D, enzyme_dup, points.x, points.bar, enzyme_dup, centres.x, centres.bar);
}
