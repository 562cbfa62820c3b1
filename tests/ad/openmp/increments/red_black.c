// Relaxation of every other point in place, with the first point of a row found in several ways; also where rows could start before the array.
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>

extern int enzyme_const, enzyme_dup;
double __enzyme_autodiff(void *, ...);

enum { N = 14, SWEEPS = 3 };

#define POINT(u, f, n, i, j) \
    (u)[(i) * (n) + (j)] = 0.25 * ((u)[((i) - 1) * (n) + (j)] + (u)[((i) + 1) * (n) + (j)] + (u)[(i) * (n) + (j) - 1] + (u)[(i) * (n) + (j) + 1] - (f)[(i) * (n) + (j)]) \
        / (1.0 + 0.3 * (u)[(i) * (n) + (j)] * (u)[(i) * (n) + (j)])

static double total(const double *u, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n * n; i++)
        sum += u[i] * u[i] * (1 + i % 5);
    return sum;
}

static double remainders(double *u, const double *f, int n)
{
#pragma omp parallel
    for (int s = 0; s < SWEEPS; s++)
        for (int colour = 0; colour < 2; colour++) {
#pragma omp for
            for (int i = 1; i < n - 1; i++)
                for (int j = 1 + (i + colour) % 2; j < n - 1; j += 2)
                    POINT(u, f, n, i, j);
        }
    return total(u, n);
}

static double bits(double *u, const double *f, int n)
{
    for (int s = 0; s < SWEEPS; s++)
        for (int colour = 0; colour < 2; colour++) {
#pragma omp parallel for schedule(static, 2)
            for (int i = 1; i < n - 1; i++)
                for (int j = 1 + ((i ^ colour) & 1); j < n - 1; j += 2)
                    POINT(u, f, n, i, j);
        }
    return total(u, n);
}

/* Numbers that may be negative have negative remainders. */
static double negative(double *u, const double *f, int n, int shift)
{
    for (int s = 0; s < SWEEPS; s++)
        for (int colour = 0; colour < 2; colour++) {
#pragma omp parallel for
            for (int i = 2; i < n - 2; i++)
                for (int j = 3 + (i + colour - shift) % 2; j < n - 2; j += 2)
                    POINT(u, f, n, i, j);
        }
    return total(u, n);
}

/* Rows are as long as a remainder says: threads meet in them. */
static double ragged(double *u, const double *f, int n)
{
    double sum = 0.0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 1; i < n - 1; i++)
        for (int j = i % 3; j < 3 + (i & 3) * 4; j++)
            sum += u[i * 7 + j] * f[(i & 5) + j] * u[(i % 4) * 5 + j];
    return sum;
}

static double start_u[N * N], f[N * N], u[N * N], u_bar[N * N], f_bar[N * N];

static double value(int which)
{
    memcpy(u, start_u, sizeof u);
    switch (which) {
    case 0: return remainders(u, f, N);
    case 1: return bits(u, f, N);
    case 2: return negative(u, f, N, 5);
    default: return ragged(u, f, N);
    }
}

static int compare(int which, double *x, const double *bar)
{
    int wrong = 0;
    for (int i = 0; i < N * N; i++) {
        double old = x[i], h = 1e-6;
        x[i] = old + h;
        double up = value(which);
        x[i] = old - h;
        double down = value(which), expected;
        x[i] = old;
        expected = (up - down) / (2 * h);
        if (!(fabs(bar[i] - expected) < 1e-6 * (1 + fabs(expected)))) {
            printf("%d, %d threads: [%d]: %g instead of %g\n", which, omp_get_max_threads(), i, bar[i], expected);
            wrong++;
        }
    }
    return wrong;
}

int main(void)
{
    int wrong = 0;
    for (int i = 0; i < N * N; i++) {
        start_u[i] = sin(1.3 * i) + 0.2;
        f[i] = cos(0.7 * i);
    }
    for (int threads = 1; threads < 9; threads += threads < 5 ? 1 : 3) {
        omp_set_num_threads(threads);
        for (int which = 0; which < 4; which++) {
            memcpy(u, start_u, sizeof u);
            memset(u_bar, 0, sizeof u_bar);
            memset(f_bar, 0, sizeof f_bar);
            switch (which) {
            case 0: __enzyme_autodiff((void *)remainders, enzyme_dup, u, u_bar, enzyme_dup, f, f_bar, enzyme_const, N); break;
            case 1: __enzyme_autodiff((void *)bits, enzyme_dup, u, u_bar, enzyme_dup, f, f_bar, enzyme_const, N); break;
            case 2: __enzyme_autodiff((void *)negative, enzyme_dup, u, u_bar, enzyme_dup, f, f_bar, enzyme_const, N, enzyme_const, 5); break;
            default: __enzyme_autodiff((void *)ragged, enzyme_dup, u, u_bar, enzyme_dup, f, f_bar, enzyme_const, N); break;
            }
            wrong += compare(which, start_u, u_bar) + compare(which, f, f_bar);
        }
    }
    return wrong != 0;
}
