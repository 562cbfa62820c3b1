/* De Casteljau in place on a variable-length array of points, recursion on the control polygon, arc length. */
#include <math.h>
#include <stdio.h>

typedef struct point { float x, y; } point;
void __enzyme_autodiff(void *, ...);

static point lerp(point a, point b, float t)
{
    point r = {a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
    return r;
}

static point casteljau(const point *control, int n, float t)
{
    if (n == 1)
        return control[0];
    return lerp(casteljau(control, n - 1, t), casteljau(control + 1, n - 1, t), t);
}

float length(const point *control, int n)
{
    float total = 0;
    point last = control[0];
    for (int i = 1; i <= 10; i++) {
        point p = casteljau(control, n, i / 10.0f);
        float dx = p.x - last.x, dy = p.y - last.y;
        total += sqrtf(dx * dx + dy * dy);
        last = p;
    }
    return total;
}

int main(void)
{
    point c[4] = {{0, 0}, {1, 2}, {3, -1}, {4, 1}}, d[4] = {{0, 0}};
    __enzyme_autodiff((void *)length, c, d, 4);
    float *v = &c[0].x, *g = &d[0].x;
    /* Translation invariance and homogeneity of degree one. */
    float sx = 0, sy = 0, h = 0;
    for (int i = 0; i < 4; i++) {
        sx += d[i].x;
        sy += d[i].y;
    }
    for (int i = 0; i < 8; i++)
        h += v[i] * g[i];
    if (!(fabsf(sx) < 1e-5f && fabsf(sy) < 1e-5f && fabsf(h - length(c, 4)) < 1e-4f)) {
        printf("sums %g %g, homogeneity %g vs %g\n", sx, sy, h, length(c, 4));
        return 1;
    }
    for (int i = 0; i < 8; i++) {
        float k = v[i];
        v[i] = k + 0.01f;
        double p = length(c, 4);
        v[i] = k - 0.01f;
        double m = length(c, 4);
        v[i] = k;
        if (!(fabs(g[i] - (p - m) / 0.02) < 2e-3)) {
            printf("control %d: %g vs %g\n", i, g[i], (p - m) / 0.02);
            return 1;
        }
    }
    return 0;
}
