// Tasks in an order that depend clauses give; their reverses run in the opposite one.
#include "../../check.h"
static double f(double *x, int n)
{
    double a = 0, b = 0, c = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(out : a) shared(a)
        a = x[0] * x[1];
#pragma omp task depend(in : a) depend(out : b) shared(a, b)
        b = sin(a) * x[n - 1];
#pragma omp task depend(in : a) depend(out : c) shared(a, c)
        c = a * a;
#pragma omp task depend(in : b, c) depend(inout : a) shared(a, b, c)
        a += b * c;
    }
    return a;
}
/* An inactive task between two others. */
static double between(double *x, int n)
{
    double a = 0, b = 0;
    int factor = 0;
    char token = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(out : token) shared(a, token)
        {
            for (int i = 0; i < n; i++)
                a += x[i] * x[i];
            token = 1;
        }
#pragma omp task depend(in : token) depend(out : factor) shared(factor, token)
        factor = 1 + token;
#pragma omp task depend(in : factor) shared(a, b, factor)
        b = a * a * factor;
    }
    return b + a;
}
/* A function makes tasks that depend on those of its caller. */
static void step(double *u, int i, double c)
{
#pragma omp task depend(in : u[i - 1]) depend(inout : u[i])
    u[i] += c * sin(u[i - 1]) * u[i];
}
static double in_functions(double *x, int n)
{
    double *u = malloc(n * sizeof *u), s = 0;
    for (int i = 0; i < n; i++)
        u[i] = x[i];
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(inout : *u)
        u[0] = u[0] * u[0];
        for (int i = 1; i < n; i++)
            step(u, i, x[i]);
    }
    for (int i = 0; i < n; i++)
        s += u[i] * u[i];
    free(u);
    return s;
}
/* A wavefront over blocks, some of which the maker may have to do itself. */
static double wavefront(double *x, int n)
{
    double u[6][6], s = 0;
    for (int i = 0; i < 36; i++)
        u[i / 6][i % 6] = x[i % n];
#pragma omp parallel
#pragma omp master
    for (int t = 0; t < 2; t++)
        for (int i = 1; i < 5; i++)
            for (int j = 1; j < 5; j++) {
#pragma omp task depend(in : u[i - 1][j], u[i][j - 1], u[i + 1][j], u[i][j + 1]) depend(inout : u[i][j])
                u[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]) + 0.1 * u[i][j] * u[i][j];
#pragma omp task depend(inout : u[i][j]) if (j > 2)
                u[i][j] *= x[j];
            }
    for (int i = 0; i < 6; i++)
        s += u[i][i] * u[3][i];
    return s;
}
GRADIENT(f)
GRADIENT(between)
GRADIENT(in_functions)
GRADIENT(wavefront)
int main(void) { return CHECK(f, 5) | CHECK(between, 7) | CHECK(in_functions, 9) | CHECK(wavefront, 11); }
