// size: 5000
// The Lorenz system, `size` steps of the classical Runge-Kutta method, by its start and its three parameters.
#include "gradient.h"

typedef struct {
    double x, y, z;
} point;

static point flow(point p, double sigma, double rho, double beta)
{
    point rate = {sigma * (p.y - p.x), p.x * (rho - p.z) - p.y, p.x * p.y - beta * p.z};
    return rate;
}

static point ahead(point p, double h, point rate)
{
    point result = {p.x + h * rate.x, p.y + h * rate.y, p.z + h * rate.z};
    return result;
}

static double mean_height(const double *start, const double *parameters, int steps)
{
    point p = {start[0], start[1], start[2]};
    double h = 0.0002, sum = 0.0;
    for (int t = 0; t < steps; t++) {
        point a = flow(p, parameters[0], parameters[1], parameters[2]);
        point b = flow(ahead(p, h / 2, a), parameters[0], parameters[1], parameters[2]);
        point c = flow(ahead(p, h / 2, b), parameters[0], parameters[1], parameters[2]);
        point d = flow(ahead(p, h, c), parameters[0], parameters[1], parameters[2]);
        p.x += h / 6 * (a.x + 2 * b.x + 2 * c.x + d.x);
        p.y += h / 6 * (a.y + 2 * b.y + 2 * c.y + d.y);
        p.z += h / 6 * (a.z + 2 * b.z + 2 * c.z + d.z);
        sum += p.z;
    }
    return sum / steps;
}

static struct array start, parameters;
static int steps;
static void setup(int size)
{
    steps = size;
    start = variables(3, 1, 2);
    parameters = variables(3, 8, 12);
}
static double objective(void) { return mean_height(start.x, parameters.x, steps); }
void __enzyme_autodiff(void *, ...);
static void gradient(void)
{
    __enzyme_autodiff((void *)mean_height, enzyme_dup, start.x, start.bar, enzyme_dup, parameters.x, parameters.bar, enzyme_const, steps);
}
