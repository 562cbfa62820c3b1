// size: 200000
// The Lennard-Jones energy, smoothly cut off, over a neighbour list (each pair twice), `size` atoms.
#include "../ad/gradient.h"
static double energy(const double *x, const int *start, const int *list, int n)
{
    double e = 0.0;
#pragma omp parallel for reduction(+ : e)
    for (int i = 0; i < n; i++)
        for (int k = start[i]; k < start[i + 1]; k++) {
            int j = list[k];
            double dx = x[3 * i] - x[3 * j], dy = x[3 * i + 1] - x[3 * j + 1], dz = x[3 * i + 2] - x[3 * j + 2];
            double r2 = dx * dx + dy * dy + dz * dz;
            if (r2 < 6.25) {
                double s = 1.0 / (r2 * r2 * r2), cut = 1.0 - r2 / 6.25;
                e += 2.0 * (s * s - s) * cut * cut;
            }
        }
    return e;
}
static struct array x;
static int n, *start, *list;
static void setup(int size)
{
    n = size;
    x = variables((size_t)(3 * n), -0.2, 0.2);
    start = malloc(sizeof(int) * (size_t)(n + 1));
    list = malloc(sizeof(int) * (size_t)(n * 16));
    int side = 1, used = 0;
    while (side * side * side < n)
        side++;
    for (int i = 0; i < n; i++) {
        x.x[3 * i] += 1.4 * (i % side);
        x.x[3 * i + 1] += 1.4 * (i / side % side);
        x.x[3 * i + 2] += 1.4 * (i / side / side);
        start[i] = used;
        int near[14] = {1, side, side * side, side + 1, side - 1, side * side + 1, side * side + side};
        for (int k = 0; k < 7; k++) {
            if (i + near[k] < n)
                list[used++] = i + near[k];
            if (i - near[k] >= 0)
                list[used++] = i - near[k];
        }
    }
    start[n] = used;
}
static double objective(void) { return energy(x.x, start, list, n); }
void __enzyme_autodiff(void *, ...);
static void gradient(void) { __enzyme_autodiff((void *)energy, enzyme_dup, x.x, x.bar, enzyme_const, start, enzyme_const, list, enzyme_const, n); }
