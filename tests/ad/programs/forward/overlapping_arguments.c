/* Sums in memory, in forward mode: kept in values where the arguments are apart, step by step where they or their tangents overlap. */
#include <math.h>
#include <stdio.h>

double __enzyme_fwddiff(void *, ...);
typedef struct {
    double first, second;
} two;
two __enzyme_fwddiff_two(void *, ...);
extern int enzyme_width;

static int failed;
static void near(const char *name, double found, double expected)
{
    if (!(fabs(found - expected) <= 1e-11 * (1 + fabs(expected)))) {
        printf("%s is %.15g, not %.15g\n", name, found, expected);
        failed = 1;
    }
}

enum { N = 5, SIZE = N * N + 8 };

static double total(int n, const double *a, double *x, double *y)
{
    double s = 0;
    for (int i = 0; i < n; i++) {
        y[i] = 0;
        for (int k = 0; k < n; k++)
            y[i] += a[i * n + k] * x[k] * x[k];
        s += y[i] * (i + 1);
    }
    return s;
}

/* The same with tangents, in the order of the program. */
static double by_hand(int n, const double *a, const double *da, double *x, double *dx, double *y, double *dy)
{
    double ds = 0;
    for (int i = 0; i < n; i++) {
        y[i] = 0;
        dy[i] = 0;
        for (int k = 0; k < n; k++) {
            double c = a[i * n + k], v = y[i] + c * x[k] * x[k];
            dy[i] += da[i * n + k] * x[k] * x[k] + 2 * c * x[k] * dx[k];
            y[i] = v;
        }
        ds += dy[i] * (i + 1);
    }
    return ds;
}

typedef struct {
    double memory[2][3][SIZE];
} blocks;

/* Which memory the arguments have: apart, the same, shifted by two, or only the tangents the same. */
static void places(blocks *b, int how, double *p[2][3])
{
    for (int q = 0; q < 2; q++)
        for (int k = 0; k < 3; k++)
            p[q][k] = b->memory[q][k];
    for (int q = 0; q < 2; q++)
        if (how == 1 || how == 2 || (how == 3 && q == 1))
            p[q][2] = p[q][1] + (how == 2 ? 2 : 0);
}

int main(void)
{
    for (int how = 0; how < 4; how++) {
        blocks first, second;
        for (int q = 0; q < 2; q++)
            for (int k = 0; k < 3; k++)
                for (int i = 0; i < SIZE; i++)
                    first.memory[q][k][i] = 0.5 * sin(i * 1.1 + k + 2 * q);
        second = first;
        double *f[2][3], *s[2][3];
        places(&first, how, f);
        places(&second, how, s);
        double expected = by_hand(N, s[0][0], s[1][0], s[0][1], s[1][1], s[0][2], s[1][2]);
        double found = __enzyme_fwddiff((void *)total, N, f[0][0], f[1][0], f[0][1], f[1][1], f[0][2], f[1][2]);
        near("tangent", found, expected);
        for (int q = 0; q < 2; q++)
            for (int k = 0; k < 3; k++)
                for (int i = 0; i < SIZE; i++)
                    near("memory", first.memory[q][k][i], second.memory[q][k][i]);
    }
    double a[N * N], x[N], y[N], da[2][N * N], dx[2][N], dy[2][N], again[N], dagain[N];
    for (int i = 0; i < N * N; i++) {
        a[i] = sin(i);
        da[0][i] = cos(i);
        da[1][i] = 0.1 * i;
    }
    for (int i = 0; i < N; i++) {
        x[i] = 0.3 + i;
        dx[0][i] = 1;
        dx[1][i] = -i;
    }
    two both = __enzyme_fwddiff_two((void *)total, enzyme_width, 2, N, a, da[0], da[1], x, dx[0], dx[1], y, dy[0], dy[1]);
    near("first", both.first, by_hand(N, a, da[0], x, dx[0], again, dagain));
    near("second", both.second, by_hand(N, a, da[1], x, dx[1], again, dagain));
    return failed;
}
