// flags: -lm
// Linear finite elements: assembly by elements, banded solve, energy norm.
#include "../check.h"
#include <math.h>

#define ELEMENTS 40
#define NODES (ELEMENTS + 1)
struct mesh { double x[NODES]; int element[ELEMENTS][2]; };
static double exact(double x) { return x * (1 - x) * exp(x); }
static double load(double x) { return exp(x) * (x * x + 3 * x); }

int main(void)
{
    struct mesh m;
    double diagonal[NODES] = {0}, upper[NODES] = {0}, rhs[NODES] = {0}, u[NODES];
    for (int i = 0; i < NODES; i++) {
        double t = (double)i / ELEMENTS;
        m.x[i] = t + 0.1 * t * (1 - t); // a graded mesh
    }
    for (int e = 0; e < ELEMENTS; e++) {
        m.element[e][0] = e;
        m.element[e][1] = e + 1;
    }
    static const double gauss[2] = {0.21132486540518712, 0.78867513459481288};
    for (int e = 0; e < ELEMENTS; e++) {
        const int *n = m.element[e];
        double h = m.x[n[1]] - m.x[n[0]];
        diagonal[n[0]] += 1 / h;
        diagonal[n[1]] += 1 / h;
        upper[n[0]] -= 1 / h;
        for (int g = 0; g < 2; g++) {
            double f = load(m.x[n[0]] + gauss[g] * h) * h / 2;
            rhs[n[0]] += f * (1 - gauss[g]);
            rhs[n[1]] += f * gauss[g];
        }
    }
    diagonal[0] = diagonal[ELEMENTS] = 1;
    rhs[0] = rhs[ELEMENTS] = 0;
    upper[0] = 0;
    upper[ELEMENTS - 1] = 0;
    for (int i = 2; i < ELEMENTS; i++) {
        double f = upper[i - 1] / diagonal[i - 1];
        diagonal[i] -= f * upper[i - 1];
        rhs[i] -= f * rhs[i - 1];
    }
    u[ELEMENTS] = u[0] = 0;
    for (int i = ELEMENTS - 1; i > 0; i--)
        u[i] = (rhs[i] - upper[i] * u[i + 1]) / diagonal[i];
    double worst = 0;
    for (int i = 0; i < NODES; i++)
        worst = fmax(worst, fabs(u[i] - exact(m.x[i])));
    printf("%.8f %.8f\n", u[10], u[30]);
    CHECK(worst < 1e-4);
    return check_done();
}
