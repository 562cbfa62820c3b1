// __enzyme_batch: a function for several sets of arguments.
#include <math.h>
#include <stdio.h>

extern int enzyme_width, enzyme_vector, enzyme_scalar, enzyme_out;
typedef struct { double a, b; } two;
typedef struct { double v[4]; } four;
typedef struct { two v[2]; } pairs;
two __enzyme_batch_two(void *, ...);
four __enzyme_batch_four(void *, ...);
pairs __enzyme_batch_pairs(void *, ...);
void __enzyme_batch_none(void *, ...);
double __enzyme_autodiff(void *, ...);

static double f(double x, double y) { return x * x * y; }

static two g(two p, int k) { return (two){p.a * k, p.b + k}; }

static void twice(double *x, int n)
{
    for (int i = 0; i < n; i++) x[i] *= 2;
}

static double inside(double x)
{
    two r = __enzyme_batch_two((void *)f, enzyme_width, 2, enzyme_vector, x, 2 * x, enzyme_scalar, 3.0);
    return r.a * r.b;
}

int main(void)
{
    int bad = 0;
    two r = __enzyme_batch_two((void *)f, enzyme_width, 2, enzyme_vector, 3.0, 4.0, enzyme_scalar, 2.0);
    bad += r.a != 18 || r.b != 32;
    four q = __enzyme_batch_four((void *)f, enzyme_width, 4, enzyme_vector, 1.0, 2.0, 3.0, 4.0,
                                 enzyme_vector, 5.0, 6.0, 7.0, 8.0);
    for (int i = 0; i < 4; i++) bad += q.v[i] != (i + 1) * (i + 1) * (i + 5.0);
    two p = {1, 2}, s = {3, 4};
    pairs z = __enzyme_batch_pairs((void *)g, enzyme_width, 2, enzyme_vector, p, s, enzyme_scalar, 10);
    bad += z.v[0].a != 10 || z.v[0].b != 12 || z.v[1].a != 30 || z.v[1].b != 14;
    double x[2] = {1, 2}, y[2] = {3, 4};
    __enzyme_batch_none((void *)twice, enzyme_width, 2, enzyme_vector, x, y, enzyme_scalar, 2);
    bad += x[1] != 4 || y[0] != 6;
    /* (3 x^2) (12 x^2) = 36 x^4 */
    double d = __enzyme_autodiff((void *)inside, enzyme_out, 0.5);
    bad += fabs(d - 144 * 0.125) > 1e-12;
    printf("bad %d\n", bad);
    return bad;
}
