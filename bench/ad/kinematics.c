// size: 500
// Inverse kinematics: arms of 12 joints with 4 × 4 transformations, one for each of `size` poses; the distance of their hands to targets.
#include "gradient.h"

enum { JOINTS = 12 };

static void multiply(double a[4][4], double b[4][4], double c[4][4])
{
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            c[i][j] = 0.0;
            for (int k = 0; k < 4; k++)
                c[i][j] += a[i][k] * b[k][j];
        }
}

/* Denavit-Hartenberg: an angle, and the link's twist, length and offset. */
static void joint(double angle, double twist, double length, double offset, double m[4][4])
{
    double c = cos(angle), s = sin(angle), ct = cos(twist), st = sin(twist);
    double rows[4][4] = {{c, -s * ct, s * st, length * c}, {s, c * ct, -c * st, length * s}, {0, st, ct, offset}, {0, 0, 0, 1}};
    memcpy(m, rows, sizeof rows);
}

static double distance(int n, const double *angles, const double *links, const double *targets)
{
    double sum = 0.0;
    for (int p = 0; p < n; p++) {
        double arm[4][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}, next[4][4], result[4][4];
        for (int k = 0; k < JOINTS; k++) {
            joint(angles[p * JOINTS + k], links[3 * k], links[3 * k + 1], links[3 * k + 2], next);
            multiply(arm, next, result);
            memcpy(arm, result, sizeof arm);
        }
        for (int i = 0; i < 3; i++) {
            double error = arm[i][3] - targets[3 * p + i];
            sum += error * error;
        }
    }
    return sum / n;
}

static struct array angles, links;
static double *targets;
static int n;
static void setup(int size)
{
    n = size;
    angles = variables((size_t)n * JOINTS, -1, 1);
    links = variables(3 * JOINTS, 0.1, 1);
    targets = data(3 * (size_t)n, -2, 2);
}
static double objective(void) { return distance(n, angles.x, links.x, targets); }
void __enzyme_autodiff(void *, ...);
static void gradient(void)
{
    __enzyme_autodiff((void *)distance, enzyme_const, n, enzyme_dup, angles.x, angles.bar, enzyme_dup, links.x, links.bar, enzyme_const, targets);
}
