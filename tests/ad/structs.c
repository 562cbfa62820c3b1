// Structs by value: arguments and results of the differentiated function and of what it calls, nested and with arrays.
#include "check.h"

typedef struct {
    double x, y, z;
} vec3;
static vec3 vec(double x, double y, double z)
{
    return (vec3){x, y, z};
}
static vec3 add(vec3 a, vec3 b)
{
    return vec(a.x + b.x, a.y + b.y, a.z + b.z);
}
static vec3 scale(vec3 a, double s)
{
    return vec(s * a.x, s * a.y, s * a.z);
}
static double dot(vec3 a, vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static vec3 cross(vec3 a, vec3 b)
{
    return vec(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
static double library(double *x, int n)
{
    vec3 p = vec(x[0], x[1], x[2]), q = vec(1, 2, 3);
    for (int i = 0; i + 2 < n; i++) {
        q = add(scale(cross(p, q), 0.3), vec(x[i], 0.1, x[i + 2]));
        p = add(p, scale(q, 0.1 * dot(p, q)));
    }
    return sqrt(dot(p, p));
}
GRADIENT(library)

// Recursion with structs by value: each call owns its parameter.
typedef struct {
    vec3 at;
    double weight[2];
    int level;
} state;
static state descend(state s, const double *x)
{
    if (s.level == 0)
        return s;
    s.at = scale(s.at, x[s.level]);
    s.weight[s.level % 2] += s.at.x * x[0];
    state down = s;
    down.level--;
    state left = descend(down, x);
    down.weight[0] *= 0.5;
    state right = descend(down, x + 1);
    s.at = add(left.at, cross(right.at, s.at));
    s.weight[1] += left.weight[0] * right.weight[1];
    return s;
}
static double recursive(double *x, int n)
{
    state s = {{x[0], x[1], 1}, {x[2], 0.5}, 3};
    s = descend(s, x);
    return s.at.x * s.at.y + s.at.z * s.weight[0] + s.weight[1] * n;
}
GRADIENT(recursive)

// By value at the entry: the adjoint is a struct of the same type.
typedef struct {
    double a;
    struct {
        double b[2];
    } inner;
    float c;
} parameters;
static double model(parameters p, const double *x, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s += p.a * x[i] + p.inner.b[i % 2] * x[i] * x[i] + p.c * p.c;
    p.a = 0;
    return s * s;
}
parameters __enzyme_autodiff_parameters(void *, ...);
int enzyme_const, enzyme_out, enzyme_dup;
static int by_value(void)
{
    double x[3] = {1, 0.5, -2};
    parameters p = {0.3, {{0.7, -0.2}}, 0.25f};
    parameters g = __enzyme_autodiff_parameters((void *)model, enzyme_out, p, enzyme_const, x, 3);
    double got[4] = {g.a, g.inner.b[0], g.inner.b[1], g.c};
    for (int k = 0; k < 4; k++) {
        double value[2], h = 1.0 / 1024;
        for (int s = 0; s < 2; s++) {
            parameters q = p;
            double e = s ? -h : h;
            if (k == 0)
                q.a += e;
            else if (k < 3)
                q.inner.b[k - 1] += e;
            else
                q.c += (float)e;
            value[s] = model(q, x, 3);
        }
        double numeric = (value[0] - value[1]) / (2 * h);
        if (fabs(numeric - got[k]) > 1e-4 * (1 + fabs(numeric))) {
            printf("by_value: %d is %g, not %g\n", k, got[k], numeric);
            return 1;
        }
    }
    return 0;
}

// A struct with pointers by value.
typedef struct {
    int rows, columns;
    const double *data;
} matrix;
static double quadratic(matrix m, const double *x)
{
    double s = 0;
    for (int i = 0; i < m.rows; i++)
        for (int j = 0; j < m.columns; j++)
            s += x[i] * m.data[i * m.columns + j] * x[j];
    return s;
}
static double forms(double *x, int n)
{
    matrix m = {2, 2, x};
    return quadratic(m, x + n - 2) * quadratic((matrix){2, 2, x + 1}, x);
}
GRADIENT(forms)

int main(void)
{
    int bad = 0;
    bad |= CHECK(library, 8);
    bad |= CHECK(recursive, 7);
    bad |= CHECK(forms, 6);
    bad |= by_value();
    return bad;
}
