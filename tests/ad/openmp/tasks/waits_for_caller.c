// Functions that wait for tasks of their caller, whether they make tasks themselves or not, and then use what those did.
#include <math.h>
#include <stdio.h>

extern int enzyme_dup, enzyme_const;
double __enzyme_autodiff(void *, ...);

enum { N = 24 };

static void square(const double *x, double *y, int n)
{
    for (int i = 0; i < n; i++)
        y[i] = x[i] * x[i];
}

/* Makes a task, waits for it and for those of the caller, and reads what both did. Not small: it is not inlined. */
__attribute__((noinline)) static double waits_and_sums(const double *x, double *y, double *z, int n)
{
#pragma omp task shared(z) firstprivate(x, n)
    for (int i = 0; i < n; i++)
        z[i] = sin(x[i]);
#pragma omp taskwait
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += y[i] * z[i] * (i + 1);
    for (int i = 1; i < n; i++)
        sum += 0.25 * y[i - 1] * y[i];
    for (int i = 0; i < n; i++)
        y[i] *= 0.5;
    return sum;
}

/* Only waits. */
__attribute__((noinline)) static double only_waits(double *y, int n)
{
    double sum = 0.0;
#pragma omp taskwait
    for (int i = 0; i < n; i++)
        sum += exp(0.1 * y[i]);
    for (int i = 0; i < n; i++)
        sum += y[i] * y[n - 1 - i];
    return sum;
}

/* What neither needs nor gets memory may overlap with the caller's tasks. */
__attribute__((noinline)) static double powers(double a, int n)
{
    double u = 0.0, v = 0.0;
    if (n < 2)
        return n ? a : 1.0;
#pragma omp task shared(u)
    u = powers(a, n / 2);
    v = powers(a, n - n / 2);
#pragma omp taskwait
    return u * v;
}

static double all(const double *x, int n)
{
    double y[N], z[N], w[N], sum = 0.0, more = 0.0, other = 0.0, p = 0.0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task
        square(x, y, n);
        sum = waits_and_sums(x, y, z, n);
#pragma omp task
        square(x, w, n);
        more = only_waits(w, n);
        for (int k = 0; k < 2; k++) {
#pragma omp task
            square(y, w, n);
            other += waits_and_sums(x, w, z, n);
        }
        p = powers(x[0], 5);
    }
    return sum + 0.3 * more + other + p;
}

int main(void)
{
    double x[N], bar[N] = {0};
    for (int i = 0; i < N; i++)
        x[i] = 0.5 + 0.03 * i;
    __enzyme_autodiff((void *)all, enzyme_dup, x, bar, enzyme_const, N);
    for (int i = 0; i < N; i++) {
        double h = 1e-6, old = x[i];
        x[i] = old + h;
        double up = all(x, N);
        x[i] = old - h;
        double down = all(x, N);
        x[i] = old;
        double difference = (up - down) / (2 * h);
        if (fabs(difference - bar[i]) > 1e-6 * (1 + fabs(difference))) {
            printf("%d: %.12g, by differences %.12g\n", i, bar[i], difference);
            return 1;
        }
    }
    return 0;
}
