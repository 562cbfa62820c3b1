/* Flexible array members: a polynomial allocated in one block, copied and combined. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct { int degree; double c[]; } poly;
void __enzyme_autodiff(void *, ...);

static poly *poly_new(int degree)
{
    poly *p = malloc(sizeof(poly) + (degree + 1) * sizeof(double));
    p->degree = degree;
    memset(p->c, 0, (degree + 1) * sizeof(double));
    return p;
}

static poly *poly_mul(const poly *a, const poly *b)
{
    poly *r = poly_new(a->degree + b->degree);
    for (int i = 0; i <= a->degree; i++)
        for (int j = 0; j <= b->degree; j++)
            r->c[i + j] += a->c[i] * b->c[j];
    return r;
}

static double poly_at(const poly *p, double x)
{
    double r = 0;
    for (int i = p->degree; i >= 0; i--)
        r = r * x + p->c[i];
    return r;
}

double power(const double *c, int n, double x)
{
    poly *p = poly_new(n - 1);
    memcpy(p->c, c, n * sizeof *c);
    poly *sq = poly_mul(p, p), *cube = poly_mul(sq, p);
    double r = poly_at(cube, x);
    free(cube);
    free(sq);
    free(p);
    return r;
}

int main(void)
{
    double c[4] = {0.5, -1, 0.3, 0.2}, g[4] = {0}, x = 1.2;
    __enzyme_autodiff((void *)power, c, g, 4, x);
    double base = 0;
    for (int i = 3; i >= 0; i--)
        base = base * x + c[i];
    for (int i = 0; i < 4; i++) {
        double want = 3 * base * base * pow(x, i);
        if (!(fabs(g[i] - want) < 1e-12)) {
            printf("c[%d]: %g vs %g\n", i, g[i], want);
            return 1;
        }
    }
    return 0;
}
