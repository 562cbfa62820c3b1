/* Planar and spatial chain by Denavit-Hartenberg matrices, 4x4 multiplied in place. */
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef double mat4[4][4];
int enzyme_dup;
int enzyme_const;
void __enzyme_autodiff(void *, ...);

static void multiply(mat4 a, mat4 b, mat4 out)
{
    mat4 t;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            t[i][j] = 0;
            for (int k = 0; k < 4; k++)
                t[i][j] += a[i][k] * b[k][j];
        }
    memcpy(out, t, sizeof(mat4));
}

static void joint(double theta, double d, double a, double alpha, mat4 m)
{
    double ct = cos(theta), st = sin(theta), ca = cos(alpha), sa = sin(alpha);
    mat4 r = {{ct, -st * ca, st * sa, a * ct}, {st, ct * ca, -ct * sa, a * st}, {0, sa, ca, d}, {0, 0, 0, 1}};
    memcpy(m, r, sizeof r);
}

static double reach(const double *q, const double *target)
{
    static const double dh[4][3] = {{0.3, 0.0, M_PI / 2}, {0, 0.5, 0}, {0, 0.4, -0.3}, {0.1, 0.2, 0.7}};
    mat4 total = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}, link;
    for (int i = 0; i < 4; i++) {
        joint(q[i], dh[i][0], dh[i][1], dh[i][2], link);
        multiply(total, link, total);
    }
    double e = 0;
    for (int c = 0; c < 3; c++) {
        double d = total[c][3] - target[c];
        e += d * d;
    }
    return e;
}

int main(void)
{
    double q[4] = {0.3, -0.5, 0.8, 0.1}, g[4], target[3] = {0.6, 0.3, 0.5};
    /* Inverse kinematics by descent. */
    for (int it = 0; it < 400; it++) {
        memset(g, 0, sizeof g);
        __enzyme_autodiff((void *)reach, enzyme_dup, q, g, enzyme_const, target);
        if (it == 0)
            for (int i = 0; i < 4; i++) {
                double k = q[i];
                q[i] = k + 1e-6;
                double a = reach(q, target);
                q[i] = k - 1e-6;
                double b = reach(q, target);
                q[i] = k;
                if (!(fabs(g[i] - (a - b) / 2e-6) < 1e-8)) {
                    printf("q[%d]: %g vs %g\n", i, g[i], (a - b) / 2e-6);
                    return 1;
                }
            }
        for (int i = 0; i < 4; i++)
            q[i] -= 0.4 * g[i];
    }
    if (!(reach(q, target) < 1e-6)) {
        printf("target missed by %g\n", sqrt(reach(q, target)));
        return 1;
    }
    return 0;
}
