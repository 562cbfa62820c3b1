// size: 20000
// A natural cubic spline through 40 knots, its coefficients from a tridiagonal system, fitted to `size` samples; the interval is searched for each.
#include "gradient.h"

enum { KNOTS = 40 };

static double misfit(const double *knots, const double *values, const double *where, const double *samples, int n)
{
    double second[KNOTS], work[KNOTS], sum = 0.0;
    second[0] = work[0] = 0.0;
    for (int i = 1; i < KNOTS - 1; i++) {
        double part = (knots[i] - knots[i - 1]) / (knots[i + 1] - knots[i - 1]), p = part * second[i - 1] + 2;
        second[i] = (part - 1) / p;
        double bend = (values[i + 1] - values[i]) / (knots[i + 1] - knots[i]) - (values[i] - values[i - 1]) / (knots[i] - knots[i - 1]);
        work[i] = (6 * bend / (knots[i + 1] - knots[i - 1]) - part * work[i - 1]) / p;
    }
    second[KNOTS - 1] = 0.0;
    for (int i = KNOTS - 2; i >= 0; i--)
        second[i] = second[i] * second[i + 1] + work[i];
    for (int k = 0; k < n; k++) {
        int low = 0, high = KNOTS - 1;
        while (high - low > 1) {
            int middle = (low + high) / 2;
            if (knots[middle] > where[k])
                high = middle;
            else
                low = middle;
        }
        double h = knots[high] - knots[low], a = (knots[high] - where[k]) / h, b = (where[k] - knots[low]) / h;
        double s = a * values[low] + b * values[high] + ((a * a * a - a) * second[low] + (b * b * b - b) * second[high]) * h * h / 6;
        sum += (s - samples[k]) * (s - samples[k]);
    }
    return sum / n;
}

static struct array knots, values;
static double *where, *samples;
static int n;
static void setup(int size)
{
    n = size;
    knots = variables(KNOTS, -0.2, 0.2);
    for (int i = 0; i < KNOTS; i++)
        knots.x[i] += i;
    values = variables(KNOTS, -1, 1);
    where = data((size_t)n, 0.5, KNOTS - 1.5);
    samples = data((size_t)n, -1, 1);
}
static double objective(void) { return misfit(knots.x, values.x, where, samples, n); }
void __enzyme_autodiff(void *, ...);
static void gradient(void)
{
    __enzyme_autodiff((void *)misfit, enzyme_dup, knots.x, knots.bar, enzyme_dup, values.x, values.bar, enzyme_const, where, enzyme_const, samples,
                      enzyme_const, n);
}
