/* gravity: accelerations in parallel, leapfrog in time, energy at the end */
#include <math.h>
#include <stdio.h>
#include <string.h>
#define N 12
typedef struct { double x, y, z; } vec;
typedef struct { vec r[N], v[N]; double m[N]; } state;
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

static void accelerate(const state *s, vec *a)
{
    #pragma omp parallel for schedule(static)
    for (int i = 0; i < N; i++) {
        vec sum = {0, 0, 0};
        for (int j = 0; j < N; j++) {
            if (j == i) continue;
            vec d = {s->r[j].x - s->r[i].x, s->r[j].y - s->r[i].y, s->r[j].z - s->r[i].z};
            double q = d.x * d.x + d.y * d.y + d.z * d.z + 0.05;
            double w = s->m[j] / (q * sqrt(q));
            sum.x += w * d.x; sum.y += w * d.y; sum.z += w * d.z;
        }
        a[i] = sum;
    }
}
static double energy(state *s)
{
    vec a[N];
    double e = 0;
    for (int step = 0; step < 4; step++) {
        accelerate(s, a);
        #pragma omp parallel for
        for (int i = 0; i < N; i++) {
            s->v[i].x += 0.01 * a[i].x; s->v[i].y += 0.01 * a[i].y; s->v[i].z += 0.01 * a[i].z;
            s->r[i].x += 0.01 * s->v[i].x; s->r[i].y += 0.01 * s->v[i].y; s->r[i].z += 0.01 * s->v[i].z;
        }
    }
    #pragma omp parallel for reduction(+:e) schedule(dynamic)
    for (int i = 0; i < N; i++) {
        e += 0.5 * s->m[i] * (s->v[i].x * s->v[i].x + s->v[i].y * s->v[i].y + s->v[i].z * s->v[i].z);
        for (int j = i + 1; j < N; j++) {
            double dx = s->r[i].x - s->r[j].x, dy = s->r[i].y - s->r[j].y, dz = s->r[i].z - s->r[j].z;
            e -= s->m[i] * s->m[j] / sqrt(dx * dx + dy * dy + dz * dz + 0.05);
        }
    }
    return e;
}
static void start(state *s)
{
    for (int i = 0; i < N; i++) {
        s->r[i] = (vec){cos(i), sin(2.0 * i), 0.1 * i};
        s->v[i] = (vec){0.1 * sin(i), 0.2 * cos(i), 0};
        s->m[i] = 0.5 + 0.1 * (i % 4);
    }
}
int main(void)
{
    state s, b;
    int bad = 0, count = sizeof(state) / sizeof(double);
    memset(&b, 0, sizeof b);
    start(&s);
    __enzyme_autodiff((void *)energy, &s, &b);
    for (int k = 0; k < count; k += 5) {
        state d;
        memset(&d, 0, sizeof d);
        ((double *)&d)[k] = 1;
        start(&s);
        double t = __enzyme_fwddiff((void *)energy, &s, &d), h = 1e-6;
        start(&s); ((double *)&s)[k] += h; double up = energy(&s);
        start(&s); ((double *)&s)[k] -= h; double low = energy(&s);
        double n = (up - low) / (2 * h), r = ((double *)&b)[k];
        if (fabs(t - r) > 1e-9 * (1 + fabs(t)) || fabs(n - r) > 1e-5 * (1 + fabs(n))) {
            printf("component %d: reverse %g forward %g differences %g\n", k, r, t, n);
            bad = 1;
        }
    }
    return bad;
}
