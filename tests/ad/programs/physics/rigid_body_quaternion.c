/* Rigid body rotation: quaternion integration with renormalisation, header-style static inline functions. */
#include <math.h>
#include <stdio.h>

typedef struct quat { double w, x, y, z; } quat;

static inline quat qmul(const quat a, const quat b)
{
    return (quat){
        .w = a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
        .x = a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
        .y = a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
        .z = a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
    };
}

static inline quat qnormalise(quat q)
{
    const double n = sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    q.w /= n, q.x /= n, q.y /= n, q.z /= n;
    return q;
}

double attitude(const double inertia[3], const double spin[3])
{
    double w[3] = {spin[0], spin[1], spin[2]};
    quat q = {1, 0, 0, 0};
    for (int i = 0; i < 120; i++) {
        double dw0 = (inertia[1] - inertia[2]) / inertia[0] * w[1] * w[2];
        double dw1 = (inertia[2] - inertia[0]) / inertia[1] * w[2] * w[0];
        double dw2 = (inertia[0] - inertia[1]) / inertia[2] * w[0] * w[1];
        quat dq = qmul(q, (quat){0, w[0], w[1], w[2]});
        q = qnormalise((quat){q.w + 0.005 * dq.w, q.x + 0.005 * dq.x, q.y + 0.005 * dq.y, q.z + 0.005 * dq.z});
        w[0] += 0.01 * dw0, w[1] += 0.01 * dw1, w[2] += 0.01 * dw2;
    }
    return 2 * acos(q.w) + q.x * q.y;
}

double __enzyme_autodiff(void *, ...);
extern int enzyme_dup;

int main(void)
{
    double inertia[3] = {1, 2, 3.2}, spin[3] = {0.4, 1.0, 0.2}, di[3] = {0}, ds[3] = {0};
    __enzyme_autodiff((void *)attitude, enzyme_dup, inertia, di, enzyme_dup, spin, ds);
    for (int i = 0; i < 6; i++) {
        double *v = i < 3 ? inertia + i : spin + i - 3, g = i < 3 ? di[i] : ds[i - 3], k = *v;
        *v = k + 1e-6;
        double a = attitude(inertia, spin);
        *v = k - 1e-6;
        double b = attitude(inertia, spin);
        *v = k;
        if (!(fabs(g - (a - b) / 2e-6) < 1e-6)) {
            printf("parameter %d: %g vs %g\n", i, g, (a - b) / 2e-6);
            return 1;
        }
    }
    return 0;
}
