/* Scaling and squaring with a Taylor series; arrays of doubles wrapped in structs, returned by value. */
#include <math.h>
#include <stdio.h>

typedef struct { double m[2][2]; } mat2;

static mat2 mul(mat2 a, mat2 b)
{
    mat2 r = {{{0, 0}, {0, 0}}};
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            for (int k = 0; k < 2; k++)
                r.m[i][j] += a.m[i][k] * b.m[k][j];
    return r;
}

static mat2 expm(mat2 a)
{
    int squarings = 0;
    double norm = fabs(a.m[0][0]) + fabs(a.m[0][1]) + fabs(a.m[1][0]) + fabs(a.m[1][1]);
    while (norm > 0.5) {
        norm *= 0.5;
        squarings++;
    }
    double scale = ldexp(1.0, -squarings);
    for (int i = 0; i < 4; i++)
        a.m[i / 2][i % 2] *= scale;
    mat2 sum = {{{1, 0}, {0, 1}}}, term = sum;
    for (int n = 1; n <= 12; n++) {
        term = mul(term, a);
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < 2; j++) {
                term.m[i][j] /= n;
                sum.m[i][j] += term.m[i][j];
            }
    }
    while (squarings-- > 0)
        sum = mul(sum, sum);
    return sum;
}

double trace_exp(const double *x)
{
    mat2 a = {{{x[0], x[1]}, {x[2], x[3]}}};
    mat2 e = expm(a);
    return e.m[0][0] + e.m[1][1];
}

void __enzyme_autodiff(double (*)(const double *), const double *, double *);

int main(void)
{
    /* d tr exp(A) / dA = exp(A)^T */
    double x[4] = {0.3, 1.1, -0.7, 0.9}, d[4] = {0};
    __enzyme_autodiff(trace_exp, x, d);
    mat2 a = {{{x[0], x[1]}, {x[2], x[3]}}}, e = expm(a);
    double want[4] = {e.m[0][0], e.m[1][0], e.m[0][1], e.m[1][1]};
    for (int i = 0; i < 4; i++)
        if (!(fabs(d[i] - want[i]) < 1e-12)) {
            printf("%d: %.14g vs %.14g\n", i, d[i], want[i]);
            return 1;
        }
    return 0;
}
