// flags: -lm
// Natural cubic spline interpolation with binary search.
#include "../check.h"
#include <math.h>
#include <stdlib.h>

typedef struct { int n; double *x, *y, *m; } spline;

static spline make_spline(int n, double (*f)(double), double a, double b)
{
    spline s = {n, malloc((size_t)n * sizeof(double)), malloc((size_t)n * sizeof(double)), calloc((size_t)n, sizeof(double))};
    double *c = calloc((size_t)n, sizeof *c);
    if (!s.x || !s.y || !s.m || !c)
        exit(9);
    for (int i = 0; i < n; i++) {
        s.x[i] = a + (b - a) * i / (n - 1);
        s.y[i] = f(s.x[i]);
    }
    for (int i = 1; i < n - 1; i++) {
        double h0 = s.x[i] - s.x[i - 1], h1 = s.x[i + 1] - s.x[i];
        double d = 6 * ((s.y[i + 1] - s.y[i]) / h1 - (s.y[i] - s.y[i - 1]) / h0);
        double p = 2 * (h0 + h1) - h0 * c[i - 1];
        c[i] = h1 / p;
        s.m[i] = (d - h0 * s.m[i - 1]) / p;
    }
    for (int i = n - 2; i > 0; i--)
        s.m[i] -= c[i] * s.m[i + 1];
    free(c);
    return s;
}
static double evaluate(const spline *s, double t)
{
    int lo = 0, hi = s->n - 1;
    while (hi - lo > 1) {
        int mid = (lo + hi) / 2;
        if (s->x[mid] > t)
            hi = mid;
        else
            lo = mid;
    }
    double h = s->x[hi] - s->x[lo], a = (s->x[hi] - t) / h, b = 1 - a;
    return a * s->y[lo] + b * s->y[hi] + ((a * a * a - a) * s->m[lo] + (b * b * b - b) * s->m[hi]) * h * h / 6;
}

int main(void)
{
    spline s = make_spline(17, sin, 0, M_PI);
    double worst = 0;
    for (int i = 0; i <= 100; i++) {
        double t = M_PI * i / 100;
        worst = fmax(worst, fabs(evaluate(&s, t) - sin(t)));
    }
    CHECK(worst < 1e-4);
    for (int i = 0; i < s.n; i++)
        CHECK_NEAR(evaluate(&s, s.x[i]), s.y[i], 1e-15);
    printf("%.10f %.10f\n", evaluate(&s, 1.0), evaluate(&s, 3.0));
    free(s.x);
    free(s.y);
    free(s.m);
    return check_done();
}
