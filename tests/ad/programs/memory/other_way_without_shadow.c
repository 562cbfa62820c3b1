// A function that goes another way if two arguments are the same: the way that would write the inactive one does not run.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
double __enzyme_autodiff(void *, ...);
int enzyme_dup, enzyme_const;

struct vector {
    int n;
    double *data;
};

static void axpy(double a, struct vector *x, struct vector *y)
{
    for (int i = 0; i < x->n; i++)
        y->data[i] += a * x->data[i];
}

__attribute__((noinline)) static void sum(double a, struct vector *x, struct vector *y, struct vector *z, int depth)
{
    if (depth > 0) {
        sum(a, x, y, z, depth - 1);
        return;
    }
    if (z == y) {
        axpy(a, x, y);
        return;
    }
    for (int i = 0; i < x->n; i++)
        z->data[i] = a * x->data[i] + y->data[i];
}

static double objective(const double *x, struct vector *weights)
{
    double a[3], b[3], s = 0;
    struct vector u = {3, a}, v = {3, b};
    for (int i = 0; i < 3; i++)
        a[i] = x[i] * x[i];
    sum(x[0], &u, weights, &v, 2);
    sum(x[1], &v, &u, &u, 1);
    for (int i = 0; i < 3; i++)
        s += (i + 1) * a[i] * b[i];
    return s;
}

int main(void)
{
    double x[3] = {0.5, -1.2, 0.8}, d[3] = {0}, w[3] = {1, 2, 3};
    struct vector weights = {3, w};
    int bad = 0;
    __enzyme_autodiff((void *)objective, enzyme_dup, x, d, enzyme_const, &weights);
    for (int i = 0; i < 3; i++) {
        double h = 1e-6, s = x[i];
        x[i] = s + h;
        double up = objective(x, &weights);
        x[i] = s - h;
        double down = objective(x, &weights);
        x[i] = s;
        printf("%.10g %.10g\n", d[i], (up - down) / (2 * h));
        bad |= !(fabs(d[i] - (up - down) / (2 * h)) < 1e-6 * (1 + fabs(d[i])));
    }
    return bad;
}
