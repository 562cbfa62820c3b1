// size: 600
// Forces between `size` bodies, each pair once: every thread adds to an array of its own, and the arrays are summed up.
#include "../ad/gradient.h"
#ifdef _OPENMP
#include <omp.h>
#else
static int omp_get_thread_num(void) { return 0; }
static int omp_get_num_threads(void) { return 1; }
static int omp_get_max_threads(void) { return 1; }
#endif

static double pull(const double *x, const double *mass, double *each, double *force, int n)
{
    double sum = 0.0;
#pragma omp parallel
    {
        int threads = omp_get_num_threads();
        double *mine = each + (size_t)omp_get_thread_num() * 3 * (size_t)n;
        for (int i = 0; i < 3 * n; i++)
            mine[i] = 0.0;
#pragma omp for schedule(static, 8)
        for (int i = 0; i < n; i++)
            for (int j = i + 1; j < n; j++) {
                double dx = x[3 * j] - x[3 * i], dy = x[3 * j + 1] - x[3 * i + 1], dz = x[3 * j + 2] - x[3 * i + 2];
                double r2 = dx * dx + dy * dy + dz * dz + 0.05, g = mass[i] * mass[j] / (r2 * sqrt(r2));
                mine[3 * i] += g * dx;
                mine[3 * i + 1] += g * dy;
                mine[3 * i + 2] += g * dz;
                mine[3 * j] -= g * dx;
                mine[3 * j + 1] -= g * dy;
                mine[3 * j + 2] -= g * dz;
            }
#pragma omp for
        for (int i = 0; i < 3 * n; i++) {
            double total = 0.0;
            for (int t = 0; t < threads; t++)
                total += each[(size_t)t * 3 * (size_t)n + (size_t)i];
            force[i] = total;
        }
    }
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < 3 * n; i++)
        sum += force[i] * force[i];
    return sum;
}

static struct array x, mass;
static int n;
static double *each, *each_bar, *force, *force_bar;
static void setup(int size)
{
    n = size;
    x = variables((size_t)(3 * n), -1, 1);
    mass = variables((size_t)n, 0.5, 1);
    each = data((size_t)(3 * n * omp_get_max_threads()), 0, 0);
    each_bar = data((size_t)(3 * n * omp_get_max_threads()), 0, 0);
    force = data((size_t)(3 * n), 0, 0);
    force_bar = data((size_t)(3 * n), 0, 0);
}
static double objective(void) { return pull(x.x, mass.x, each, force, n); }
void __enzyme_autodiff(void *, ...);
static void gradient(void)
{
    __enzyme_autodiff((void *)pull, enzyme_dup, x.x, x.bar, enzyme_dup, mass.x, mass.bar, enzyme_dup, each, each_bar, enzyme_dup, force, force_bar,
                      enzyme_const, n);
}
