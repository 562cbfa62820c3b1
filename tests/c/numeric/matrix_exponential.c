// flags: -lm
// Matrix exponential by scaling and squaring; Markov chain; power of a matrix.
#include "../check.h"
#include <math.h>
#include <string.h>

#define N 3
typedef struct { double m[N][N]; } matrix;
static matrix identity(void) { matrix r = {{{0}}}; for (int i = 0; i < N; i++) r.m[i][i] = 1; return r; }
static matrix multiply(matrix a, matrix b)
{
    matrix r;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            r.m[i][j] = 0;
            for (int k = 0; k < N; k++)
                r.m[i][j] += a.m[i][k] * b.m[k][j];
        }
    return r;
}
static matrix combine(matrix a, double s, matrix b)
{
    for (int i = 0; i < N * N; i++)
        a.m[i / N][i % N] += s * b.m[i / N][i % N];
    return a;
}
static matrix exponential(matrix a)
{
    int squarings = 6;
    matrix x = {{{0}}}, term = identity(), r = identity();
    x = combine(x, 1.0 / (1 << squarings), a);
    for (int k = 1; k < 14; k++) {
        term = multiply(term, x);
        double f = 1;
        for (int i = 2; i <= k; i++)
            f *= i;
        r = combine(r, 1 / f, term);
    }
    while (squarings--)
        r = multiply(r, r);
    return r;
}
static matrix power(matrix a, unsigned n)
{
    if (n == 0)
        return identity();
    matrix half = power(a, n / 2);
    half = multiply(half, half);
    return n & 1 ? multiply(half, a) : half;
}

int main(void)
{
    matrix rotation = {{{0, -1, 0}, {1, 0, 0}, {0, 0, 0.5}}};
    matrix e = exponential(rotation);
    CHECK_NEAR(e.m[0][0], cos(1), 1e-13);
    CHECK_NEAR(e.m[1][0], sin(1), 1e-13);
    CHECK_NEAR(e.m[2][2], exp(0.5), 1e-13);
    matrix generator = {{{-0.5, 0.3, 0.2}, {0.1, -0.4, 0.3}, {0.25, 0.25, -0.5}}};
    matrix p = exponential(generator);
    for (int i = 0; i < N; i++)
        CHECK_NEAR(p.m[i][0] + p.m[i][1] + p.m[i][2], 1, 1e-14);
    matrix far = power(p, 200);
    CHECK_NEAR(far.m[0][1], far.m[2][1], 1e-12);
    matrix fib = {{{1, 1, 0}, {1, 0, 0}, {0, 0, 1}}};
    CHECK(power(fib, 50).m[0][1] == 12586269025.0);
    printf("%.10f %.10f\n", p.m[0][0], far.m[1][2]);
    return check_done();
}
