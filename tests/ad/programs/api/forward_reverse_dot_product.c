/* The dot-product identity on a map with many inputs and outputs: branches, loops, memory, calls. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#define N 6
#define M 5
int enzyme_dup;
void __enzyme_autodiff(void *, ...);
void __enzyme_fwddiff(void *, ...);

static double bend(double x) { return x > 0.2 ? x * x : x < -0.5 ? sin(x) : exp(x) * x; }

static void map(double *x, double *y)
{
    for (int i = 0; i < N; i++)
        x[i] = bend(x[i]) + (i ? x[i - 1] : 0);
    for (int j = 0; j < M; j++) {
        y[j] = 0;
        for (int i = j; i < N; i += 2)
            y[j] += x[i] * cos(j + x[(i + j) % N]);
    }
    x[0] = y[M - 1] * x[0];
}

int main(void)
{
    double x[N], v[N], y[M], ydot[M], xbar[N], ybar[M], x1[N], xdot[N], w[M], u[N];
    for (int i = 0; i < N; i++) {
        x[i] = x1[i] = sin(2.0 * i + 1);
        v[i] = xdot[i] = cos(3.0 * i);
        u[i] = xbar[i] = 0.3 * i - 0.5;
    }
    for (int j = 0; j < M; j++)
        w[j] = ybar[j] = 1.0 / (j + 1);
    __enzyme_fwddiff((void *)map, enzyme_dup, x, xdot, enzyme_dup, y, ydot);
    memcpy(x, x1, sizeof x);
    __enzyme_autodiff((void *)map, enzyme_dup, x, xbar, enzyme_dup, y, ybar);
    double left = 0, right = 0;
    for (int j = 0; j < M; j++)
        left += ydot[j] * w[j];
    for (int i = 0; i < N; i++) {
        left += xdot[i] * u[i];
        right += v[i] * xbar[i];
    }
    if (!(fabs(left - right) < 1e-12 * (1 + fabs(left)))) {
        printf("%.15g vs %.15g\n", left, right);
        return 1;
    }
    return 0;
}
