/* Object style: shapes with a vtable of function pointers, a base struct embedded first, down-casts. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct shape shape;
struct vtable {
    double (*area)(const shape *);
    void (*grow)(shape *, double);
};
struct shape { const struct vtable *vt; };
typedef struct { shape base; double r; } circle;
typedef struct { shape base; double w, h; } rect;

extern int enzyme_const, enzyme_out, enzyme_dup;
double __enzyme_autodiff(void *, ...);

static double circle_area(const shape *s) { const circle *c = (const circle *)s; return M_PI * c->r * c->r; }
static void circle_grow(shape *s, double f) { ((circle *)s)->r *= f; }
static double rect_area(const shape *s) { const rect *r = (const rect *)s; return r->w * r->h; }
static void rect_grow(shape *s, double f)
{
    rect *r = (rect *)s;
    r->w *= f;
    r->h += f;
}
static const struct vtable circle_vt = {circle_area, circle_grow}, rect_vt = {rect_area, rect_grow};

double total(const double *x, int n)
{
    shape **all = malloc(n * sizeof *all);
    double sum = 0;
    for (int i = 0; i < n; i++) {
        if (i % 2) {
            rect *r = malloc(sizeof *r);
            *r = (rect){{&rect_vt}, x[i], x[i] * x[i]};
            all[i] = &r->base;
        } else {
            circle *c = malloc(sizeof *c);
            c->base.vt = &circle_vt;
            c->r = x[i];
            all[i] = (shape *)c;
        }
    }
    for (int i = 0; i < n; i++) {
        all[i]->vt->grow(all[i], 1 + 0.1 * x[0]);
        sum += all[i]->vt->area(all[i]);
    }
    for (int i = 0; i < n; i++)
        free(all[i]);
    free(all);
    return sum;
}

int main(void)
{
    double x[5] = {0.5, 1.2, 0.8, 1.9, 0.3}, g[5] = {0};
    __enzyme_autodiff((void *)total, enzyme_dup, x, g, enzyme_const, 5);
    for (int i = 0; i < 5; i++) {
        double k = x[i];
        x[i] = k + 1e-6;
        double a = total(x, 5);
        x[i] = k - 1e-6;
        double b = total(x, 5);
        x[i] = k;
        if (!(fabs(g[i] - (a - b) / 2e-6) < 1e-7 * (1 + fabs(g[i])))) {
            printf("x[%d]: %g vs %g\n", i, g[i], (a - b) / 2e-6);
            return 1;
        }
    }
    return 0;
}
