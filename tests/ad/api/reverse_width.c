// Several shadows and seeds at once in reverse mode.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

extern int enzyme_width, enzyme_dup, enzyme_const, enzyme_out;
struct two {
    double a[2];
};
void __enzyme_autodiff_map(void *, ...);
struct two __enzyme_autodiff_scalar(void *, ...);
double __enzyme_autodiff(void *, ...);

static void map(const double *x, double *y, int n)
{
    for (int i = 0; i < n; i++)
        y[i] = x[i] * sin(x[(i + 1) % n]);
}

static double power(double x, int n)
{
    double p = 1.0;
    for (int i = 0; i < n; i++)
        p *= x;
    return p;
}

/* Loops in loops, and a test at run time that the shadows do not overlap. */
static double triangle(const double *x, int n)
{
    double s = 0.0;
    for (int i = 1; i < n; i++) {
        double *t = malloc(i * sizeof *t);
        for (int j = 0; j < i; j++)
            t[j] = x[j] * x[i];
        s += t[i - 1] * t[0];
        free(t);
    }
    return s;
}

static int failures;
static void check(const char *what, double is, double should)
{
    if (fabs(is - should) > 1e-12 * (1 + fabs(should))) {
        printf("%s: %.15g instead of %.15g\n", what, is, should);
        failures++;
    }
}

int main(int argc, char **argv)
{
    enum { N = 3 };
    double x[N] = {0.3, 0.7, -1.1}, y[N], bars[3][N] = {{0}}, seeds[3][N] = {{0}};
    for (int lane = 0; lane < 3; lane++)
        seeds[lane][lane] = 1;
    __enzyme_autodiff_map((void *)map, enzyme_width, 3, enzyme_dup, x, bars[0], bars[1], bars[2], enzyme_dup, y, seeds[0], seeds[1], seeds[2], enzyme_const, N);
    for (int i = 0; i < N; i++) {
        check("result", y[i], x[i] * sin(x[(i + 1) % N]));
        for (int j = 0; j < N; j++) {
            double partial = j == i ? sin(x[(i + 1) % N]) : j == (i + 1) % N ? x[i] * cos(x[j]) : 0;
            check("row of the Jacobian", bars[i][j], partial);
        }
    }
    struct two twice = __enzyme_autodiff_scalar((void *)power, enzyme_width, 2, enzyme_out, 1.5, enzyme_const, 4);
    check("first lane", twice.a[0], 4 * pow(1.5, 3));
    check("second lane", twice.a[1], 4 * pow(1.5, 3));
    double u[N + 5], one[N + 5] = {0}, two[2][N + 5] = {{0}};
    int n = argv ? N + 4 + argc : 0;
    for (int i = 0; i < n; i++)
        u[i] = 1.0 + 0.3 * i;
    /* Nothing is returned, whatever the declaration says. */
    __enzyme_autodiff((void *)triangle, u, one, n);
    __enzyme_autodiff((void *)triangle, enzyme_width, 2, enzyme_dup, u, two[0], two[1], enzyme_const, n);
    for (int i = 0; i < n; i++) {
        check("triangle, first lane", two[0][i], one[i]);
        check("triangle, second lane", two[1][i], one[i]);
    }
    return failures != 0;
}
