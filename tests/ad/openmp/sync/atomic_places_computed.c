// Atomic accesses to places that are found by branches and by functions: each is done once.
#include <math.h>
#include <stdio.h>

extern int enzyme_dup, enzyme_const;
void __enzyme_autodiff(void *, ...);
void __enzyme_fwddiff(void *, ...);

enum { COLUMNS = 4 };
static int asked;
static int at(int i, int j) { return i * COLUMNS + j; }
static double *cell(double *a, int i) { return &a[i % 3 ? i % 3 : COLUMNS]; }
static int counted(int i)
{
#pragma omp atomic
    asked++;
    return i & 1;
}

static void f(const double *x, double *y, int n)
{
    double sums[2 * COLUMNS] = {0}, more[2 * COLUMNS] = {0}, last[2] = {0};
    int order[3] = {0};
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double t = sin(x[i]);
#pragma omp atomic
        sums[i > n / 2 ? i % COLUMNS : 0] += t;
#pragma omp atomic
        sums[at(1, i % COLUMNS)] -= 0.5 * t * t;
#pragma omp atomic
        *cell(more, i) += t * x[i];
#pragma omp atomic
        more[i > 2 && i < 9] = more[i > 2 && i < 9] + 0.1 * t;
#pragma omp atomic
        more[at(1, counted(i))] += x[i];
        int place;
#pragma omp atomic capture
        place = order[i > 4 ? 1 : at(0, 0)]++;
        if (place > 100)
            t = 0;
#pragma omp atomic write
        last[i == n - 1 ? 0 : 1] = i == n - 1 ? t : 0;
    }
    double first;
#pragma omp atomic read
    first = last[n > 0 ? 0 : 1];
    for (int k = 0; k < 2 * COLUMNS; k++)
        y[k] = sums[k] * more[k] + 0.3 * sums[k] + first + last[1];
    y[0] += order[0] + 10 * order[1];
}

int main(void)
{
    int bad = 0;
    for (int n = 1; n < 30; n += 7) {
        double x[40], xb[40] = {0}, xd[40], y[8], yb[8], yd[8] = {0}, plain[8], reverse = 0, forward = 0;
        for (int i = 0; i < 40; i++)
            x[i] = cos(1.7 * i), xd[i] = sin(0.9 * i);
        for (int k = 0; k < 8; k++)
            yb[k] = 0.5 + k;
        f(x, plain, n);
        asked = 0;
        __enzyme_autodiff((void *)f, enzyme_dup, x, xb, enzyme_dup, y, yb, enzyme_const, n);
        if (asked != n)
            bad = 1, printf("%d questions of %d\n", asked, n);
        __enzyme_fwddiff((void *)f, enzyme_dup, x, xd, enzyme_dup, y, yd, enzyme_const, n);
        for (int k = 0; k < 8; k++) {
            forward += (0.5 + k) * yd[k];
            if (fabs(y[k] - plain[k]) > 1e-10)
                bad = 1, printf("n = %d: value %d: %g instead of %g\n", n, k, y[k], plain[k]);
        }
        double difference = 0, h = 1e-6;
        for (int side = -1; side <= 1; side += 2) {
            double moved[40], z[8];
            for (int i = 0; i < 40; i++)
                moved[i] = x[i] + side * h * xd[i];
            f(moved, z, n);
            for (int k = 0; k < 8; k++)
                difference += side * (0.5 + k) * z[k] / (2 * h);
        }
        for (int i = 0; i < 40; i++)
            reverse += xb[i] * xd[i];
        if (fabs(reverse - forward) > 1e-9 * (1 + fabs(forward)) || fabs(reverse - difference) > 1e-5 * (1 + fabs(difference)))
            bad = 1, printf("n = %d: reverse %.10g, forward %.10g, difference %.10g\n", n, reverse, forward, difference);
    }
    printf(bad ? "wrong\n" : "ok\n");
    return bad;
}
