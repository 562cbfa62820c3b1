// size: 2000, ADBench
// Bundle adjustment (ADBench): the 2 × 15 Jacobian block of each of `size` observations, both rows at once in reverse mode.
#include "gradient.h"

extern int enzyme_width;
int enzyme_width;

enum { CAMERA = 11, POINTS = 500, CAMERAS = 20 };

/* Rotation of a point by an axis with the angle as its length. */
static void rotate(const double *rotation, const double *point, double *out)
{
    double squared = rotation[0] * rotation[0] + rotation[1] * rotation[1] + rotation[2] * rotation[2];
    if (squared != 0) {
        double angle = sqrt(squared), cosine = cos(angle), sine = sin(angle), axis[3], cross[3];
        for (int i = 0; i < 3; i++)
            axis[i] = rotation[i] / angle;
        cross[0] = axis[1] * point[2] - axis[2] * point[1];
        cross[1] = axis[2] * point[0] - axis[0] * point[2];
        cross[2] = axis[0] * point[1] - axis[1] * point[0];
        double rest = (axis[0] * point[0] + axis[1] * point[1] + axis[2] * point[2]) * (1 - cosine);
        for (int i = 0; i < 3; i++)
            out[i] = point[i] * cosine + cross[i] * sine + axis[i] * rest;
    } else {
        out[0] = point[0] + rotation[1] * point[2] - rotation[2] * point[1];
        out[1] = point[1] + rotation[2] * point[0] - rotation[0] * point[2];
        out[2] = point[2] + rotation[0] * point[1] - rotation[1] * point[0];
    }
}

/* Camera: rotation (3), centre (3), focal length, principal point (2), radial distortion (2). */
static void reprojection(const double *camera, const double *point, const double *weight, const double *feature, double *error)
{
    double centered[3], seen[3];
    for (int i = 0; i < 3; i++)
        centered[i] = point[i] - camera[3 + i];
    rotate(camera, centered, seen);
    double x = seen[0] / seen[2], y = seen[1] / seen[2];
    double r = x * x + y * y, bend = 1 + camera[9] * r + camera[10] * r * r;
    error[0] = *weight * (x * bend * camera[6] + camera[7] - feature[0]);
    error[1] = *weight * (y * bend * camera[6] + camera[8] - feature[1]);
}

static struct array cameras, points, weights;
static double *features, *errors, *adjoints, *blocks;
static int n;

static void setup(int size)
{
    n = size;
    cameras = variables(CAMERAS * CAMERA, 0.1, 0.3);
    points = variables(POINTS * 3, 2, 4);
    weights = variables((size_t)n, 0.5, 1);
    features = data(2 * (size_t)n, -1, 1);
    errors = data(2 * (size_t)n, 0, 0);
    adjoints = data(2 * (size_t)n, -1, 1);
    blocks = data(30 * (size_t)n, 0, 0);
}
static double *camera_of(double *all, int i) { return all + i % CAMERAS * CAMERA; }
static double *point_of(double *all, int i) { return all + i * 7 % POINTS * 3; }

static double objective(void)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        reprojection(camera_of(cameras.x, i), point_of(points.x, i), &weights.x[i], &features[2 * i], &errors[2 * i]);
        sum += errors[2 * i] * adjoints[2 * i] + errors[2 * i + 1] * adjoints[2 * i + 1];
    }
    return sum;
}
void __enzyme_autodiff(void *, ...);
static void gradient(void)
{
    memset(blocks, 0, 30 * (size_t)n * sizeof *blocks);
    for (int i = 0; i < n; i++) {
        double *block = blocks + 30 * i, first[2] = {1, 0}, second[2] = {0, 1};
        __enzyme_autodiff((void *)reprojection, enzyme_width, 2, enzyme_dup, camera_of(cameras.x, i), block, block + 15, enzyme_dup, point_of(points.x, i),
                          block + 11, block + 26, enzyme_dup, &weights.x[i], block + 14, block + 29, enzyme_const, &features[2 * i], enzyme_dup,
                          &errors[2 * i], first, second);
    }
    /* Into one gradient, for the check. */
    if (gradient_timed)
        return;
    for (int i = 0; i < n; i++)
        for (int row = 0; row < 2; row++) {
            double *block = blocks + 30 * i + 15 * row, seed = adjoints[2 * i + row];
            for (int k = 0; k < 11; k++)
                camera_of(cameras.bar, i)[k] += seed * block[k];
            for (int k = 0; k < 3; k++)
                point_of(points.bar, i)[k] += seed * block[11 + k];
            weights.bar[i] += seed * block[14];
        }
}
