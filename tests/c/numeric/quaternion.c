// flags: -lm
// Quaternion rotation, slerp and integration of angular velocity.
#include "../check.h"
#include <math.h>

typedef struct { double w, x, y, z; } quat;
typedef struct { double v[3]; } vec3;
static quat mul(quat a, quat b)
{
    quat r;
    r.w = a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z;
    r.x = a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y;
    r.y = a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x;
    r.z = a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w;
    return r;
}
static quat conjugate(quat q) { return (quat){q.w, -q.x, -q.y, -q.z}; }
static double norm(quat q) { return sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z); }
static quat axis_angle(double x, double y, double z, double a)
{
    double l = sqrt(x * x + y * y + z * z), s = sin(a / 2) / l;
    return (quat){cos(a / 2), x * s, y * s, z * s};
}
static vec3 rotate(quat q, vec3 v)
{
    quat r = mul(mul(q, (quat){0, v.v[0], v.v[1], v.v[2]}), conjugate(q));
    return (vec3){{r.x, r.y, r.z}};
}
static void to_matrix(quat q, double m[3][3])
{
    for (int j = 0; j < 3; j++) {
        vec3 e = {{j == 0, j == 1, j == 2}};
        e = rotate(q, e);
        for (int i = 0; i < 3; i++)
            m[i][j] = e.v[i];
    }
}
static quat slerp(quat a, quat b, double t)
{
    double d = a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z, angle = acos(d), s = sin(angle);
    double ka = sin((1 - t) * angle) / s, kb = sin(t * angle) / s;
    return (quat){ka * a.w + kb * b.w, ka * a.x + kb * b.x, ka * a.y + kb * b.y, ka * a.z + kb * b.z};
}

int main(void)
{
    quat z90 = axis_angle(0, 0, 2, M_PI / 2);
    vec3 v = rotate(z90, (vec3){{1, 0, 0}});
    CHECK_NEAR(v.v[0], 0, 1e-15);
    CHECK_NEAR(v.v[1], 1, 1e-15);
    double m[3][3], det;
    to_matrix(axis_angle(1, 2, 3, 0.8), m);
    det = m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) + m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
    CHECK_NEAR(det, 1, 1e-14);
    quat half = slerp((quat){1, 0, 0, 0}, z90, 0.5);
    CHECK_NEAR(half.z, sin(M_PI / 8), 1e-14);
    quat q = {1, 0, 0, 0};
    for (int i = 0; i < 1000; i++) {
        quat d = mul(q, (quat){0, 0.1, 0.2, -0.1});
        q.w += 0.005 * d.w; q.x += 0.005 * d.x; q.y += 0.005 * d.y; q.z += 0.005 * d.z;
        double n = norm(q);
        q = (quat){q.w / n, q.x / n, q.y / n, q.z / n};
    }
    CHECK_NEAR(norm(q), 1, 1e-14);
    printf("%.9f %.9f %.9f %.9f\n", q.w, q.x, q.y, q.z);
    return check_done();
}
