// Hand tracking (ADBench): a skinned hand of 22 bones with 26 parameters, and the residuals of points that it should meet.
#include "gradient.h"

enum { BONES = 22, PARAMETERS = 26 };

struct hand {
    int bones, vertices;
    const int *parent;                 /* -1 for the root */
    const double *base_relative;       /* 16 for each bone, by columns */
    const double *inverse_base;        /* 16 for each bone */
    const double *base_positions;      /* 3 for each vertex */
    const double *weights;             /* one for each bone and vertex */
    const int *correspondences;
    const double *points;
};

static void multiply(const double *a, const double *b, double *out)
{
    for (int j = 0; j < 4; j++)
        for (int i = 0; i < 4; i++) {
            double sum = 0.0;
            for (int k = 0; k < 4; k++)
                sum += a[k * 4 + i] * b[j * 4 + k];
            out[j * 4 + i] = sum;
        }
}

static void euler(const double *angles, double *out)
{
    double tx = angles[0], ty = angles[2], tz = angles[1];
    double cx = cos(tx), sx = sin(tx), cy = cos(ty), sy = sin(ty), cz = cos(tz), sz = sin(tz);
    double r[16] = {cy * cz, cy * sz, -sy, 0, -cx * sz + sx * sy * cz, sx * sy * sz + cx * cz, sx * cy, 0,
                    sx * sz + cx * sy * cz, cx * sy * sz - sx * cz, cx * cy, 0, 0, 0, 0, 1};
    for (int i = 0; i < 16; i++)
        out[i] = r[i];
}

static void axis_rotation(const double *v, double *r)
{
    double squared = v[0] * v[0] + v[1] * v[1] + v[2] * v[2], angle = sqrt(squared);
    if (angle < 0.0001) {
        for (int i = 0; i < 9; i++)
            r[i] = i % 4 == 0;
        return;
    }
    double x = v[0] / angle, y = v[1] / angle, z = v[2] / angle, s = sin(angle), c = cos(angle);
    r[0] = x * x + (1 - x * x) * c, r[3] = x * y * (1 - c) - z * s, r[6] = x * z * (1 - c) + y * s;
    r[1] = x * y * (1 - c) + z * s, r[4] = y * y + (1 - y * y) * c, r[7] = y * z * (1 - c) - x * s;
    r[2] = x * z * (1 - c) - y * s, r[5] = z * y * (1 - c) + x * s, r[8] = z * z + (1 - z * z) * c;
}

/* The residual of every point: 3 numbers each. */
static void residuals(const double *theta, const struct hand *hand, int n, double *error)
{
    double absolute[BONES][16], transform[BONES][16], global[9];
    axis_rotation(theta, global);
    for (int b = 0; b < hand->bones; b++) {
        double angles[3] = {0, 0, 0}, local[16], relative[16];
        /* The root and the wrist are rigid; each finger has four angles over three joints. */
        if (b >= 2) {
            int finger = (b - 2) / 4, joint = (b - 2) % 4;
            if (joint == 0) {
                angles[0] = theta[6 + finger * 4];
                angles[1] = theta[6 + finger * 4 + 1];
            } else if (joint < 3) {
                angles[0] = theta[6 + finger * 4 + 1 + joint];
            }
        }
        euler(angles, local);
        multiply(&hand->base_relative[16 * b], local, relative);
        if (hand->parent[b] < 0)
            for (int i = 0; i < 16; i++)
                absolute[b][i] = relative[i];
        else
            multiply(absolute[hand->parent[b]], relative, absolute[b]);
        multiply(absolute[b], &hand->inverse_base[16 * b], transform[b]);
    }
    for (int p = 0; p < n; p++) {
        int vertex = hand->correspondences[p];
        double position[3] = {0, 0, 0};
        for (int b = 0; b < hand->bones; b++)
            for (int i = 0; i < 3; i++) {
                double sum = transform[b][12 + i];
                for (int k = 0; k < 3; k++)
                    sum += transform[b][k * 4 + i] * hand->base_positions[3 * vertex + k];
                position[i] += hand->weights[hand->bones * vertex + b] * sum;
            }
        for (int i = 0; i < 3; i++)
            error[3 * p + i] = hand->points[3 * p + i] - theta[3 + i] - global[i] * position[0] - global[3 + i] * position[1] - global[6 + i] * position[2];
    }
}

static struct array theta;
static struct hand model;
static double *errors;
static int n;

static void setup_hand(int size)
{
    int *parent = malloc(BONES * sizeof *parent), *correspondences = malloc((size_t)size * sizeof *correspondences);
    double *relative = calloc(16 * BONES, sizeof(double)), *inverse = calloc(16 * BONES, sizeof(double));
    n = size;
    for (int b = 0; b < BONES; b++) {
        parent[b] = b < 2 ? b - 1 : (b - 2) % 4 == 0 ? 1 : b - 1;
        for (int i = 0; i < 4; i++)
            relative[16 * b + 5 * i] = inverse[16 * b + 5 * i] = 1;
        relative[16 * b + 13] = 1;
        inverse[16 * b + 13] = -1.0 - b % 4;
    }
    for (int p = 0; p < n; p++)
        correspondences[p] = p * 3 % 200;
    theta = variables(PARAMETERS, -0.5, 0.5);
    model = (struct hand){BONES, 200, parent, relative, inverse, data(600, -1, 1), data(200 * BONES, 0, 0.1), correspondences, data(3 * (size_t)n, -1, 1)};
    errors = data(3 * (size_t)n, 0, 0);
}
