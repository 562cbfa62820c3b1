// Structs by value and by pointer, arrays of arrays, a status as the result.
// adjoin: check %s -f rotate
// adjoin: check %s -f solve2
// adjoin: check %s -f norm
// adjoin: check %s -f determinant
// adjoin: grad %s -f norm
// adjoin: vjp %s -f rotate
// adjoin: jvp %s -f rotate
// adjoin: vjp %s -f solve2
// adjoin: jacobian %s -f solve2
// adjoin: hessian %s -f determinant
// adjoin: grad %s -f polygon
#include <math.h>
typedef struct {
    double x, y, z;
} vec3;
struct body {
    int id;
    vec3 at;
    double *mass;
};

static vec3 add(vec3 a, vec3 b)
{
    return (vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

vec3 rotate(vec3 v, double angle, const vec3 *shift)
{
    double c = cos(angle), s = sin(angle);
    vec3 r = {c * v.x - s * v.y, s * v.x + c * v.y, v.z};
    return add(r, *shift);
}

int solve2(const double a[2][2], const double b[2], double x[2])
{
    double d = a[0][0] * a[1][1] - a[0][1] * a[1][0];
    if (d == 0)
        return 1;
    x[0] = (a[1][1] * b[0] - a[0][1] * b[1]) / d;
    x[1] = (a[0][0] * b[1] - a[1][0] * b[0]) / d;
    return 0;
}

double norm(vec3 v)
{
    return sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
}

double determinant(double m[3][3])
{
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0])
         + m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

double polygon(const struct body *bodies, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += *bodies[i].mass * norm(bodies[i].at);
    return sum;
}
