/* Paraxial and exact ray through thick lenses by Snell's law; surfaces in a table ended by a sentinel. */
#include <math.h>
#include <stdio.h>

struct surface {
    double curvature, gap, index;
};

void __enzyme_autodiff(void *, ...);

/* Height of a ray at the image plane, entering at height h parallel to the axis. */
static double image_height(const struct surface *s, double h)
{
    double y = h, u = 0.0, n = 1.0;
    while (s->index > 0) {
        double sag = s->curvature * y * y / (1 + sqrt(1 - s->curvature * s->curvature * y * y));
        double tilt = asin(s->curvature * y);
        double incidence = u + tilt;
        double refracted = asin(n / s->index * sin(incidence));
        u = refracted - tilt;
        y = y + (s->gap - sag) * tan(u);
        n = s->index;
        s++;
    }
    return y * y;
}

int main(void)
{
    struct surface lens[] = {{0.02, 5, 1.5}, {-0.03, 4, 1.7}, {-0.01, 60, 1.0}, {0, 0, -1}}, d[4] = {{0, 0, 0}};
    double h = 5;
    __enzyme_autodiff((void *)image_height, lens, d, h);
    double *v = &lens[0].curvature, *g = &d[0].curvature;
    for (int i = 0; i < 9; i++) {
        double keep = v[i], e = 1e-6;
        v[i] = keep + e;
        double a = image_height(lens, h);
        v[i] = keep - e;
        double b = image_height(lens, h);
        v[i] = keep;
        double fd = (a - b) / (2 * e);
        if (!(fabs(fd - g[i]) < 1e-5 * (1 + fabs(fd)))) {
            printf("parameter %d: %g vs %g\n", i, g[i], fd);
            return 1;
        }
    }
    return 0;
}
