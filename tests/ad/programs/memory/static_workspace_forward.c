// Workspaces that static variables keep, in forward mode: grown and refilled by plain calls in between, freed and left, in a struct. No tangent of an earlier call may
// come back, and no shadow may be too small.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
double __enzyme_fwddiff(void *, ...);
int enzyme_dup, enzyme_const;

static double grown(const double *x, int n)
{
    static double *work;
    static int size;
    if (n > size) {
        work = realloc(work, n * sizeof *work);
        for (int i = size; i < n; i++)
            work[i] = 0;
        size = n;
    }
    double s = 0;
    for (int i = 0; i < n; i++) {
        s += work[i] * x[i];
        work[i] = x[i] * x[i];
    }
    for (int i = 0; i < n; i++)
        s += work[i] * work[(i + 1) % n];
    return s;
}

static double freed(const double *x, int n)
{
    static double *work;
    double s = 0;
    work = malloc(n * sizeof *work);
    for (int i = 0; i < n; i++)
        work[i] = sin(x[i]);
    for (int i = 0; i < n; i++)
        s += work[i] * work[n - 1 - i];
    free(work);
    return s;
}

static struct {
    double *u, *v;
    int n;
} pair;

static double both(const double *x, int n)
{
    if (pair.n < n) {
        free(pair.u);
        free(pair.v);
        pair.u = malloc(n * sizeof *pair.u);
        pair.v = calloc(n, sizeof *pair.v);
        pair.n = n;
    }
    double s = 0;
    for (int i = 0; i < n; i++)
        pair.u[i] = exp(x[i]);
    for (int i = 0; i < n; i++)
        pair.v[i] = pair.u[i] * pair.u[n - 1 - i];
    for (int i = 0; i < n; i++)
        s += pair.v[i];
    return s;
}

static int check(int which, int n)
{
    double x[40], d[40] = {0}, tangent = 0, want = 0;
    int bad = 0;
    for (int i = 0; i < n; i++)
        x[i] = 0.1 * i - 0.3;
    for (int k = 0; k < n; k++) {
        double state[40] = {0}, h = 1e-6, up = 0, down = 0;
        d[k] = 1;
        // `grown` starts from what the last call left, which depends on x only if it was this one.
        switch (which) {
        case 0:
            grown(x, n);
            for (int i = 0; i < n; i++)
                state[i] = x[i] * x[i];
            tangent = __enzyme_fwddiff((void *)grown, enzyme_dup, x, d, enzyme_const, n);
            want = state[k] + 2 * x[k] * (x[(k + 1) % n] * x[(k + 1) % n] + x[(k + n - 1) % n] * x[(k + n - 1) % n]);
            break;
        case 1:
            tangent = __enzyme_fwddiff((void *)freed, enzyme_dup, x, d, enzyme_const, n);
            x[k] += h;
            up = freed(x, n);
            x[k] -= 2 * h;
            down = freed(x, n);
            x[k] += h;
            want = (up - down) / (2 * h);
            break;
        default:
            both(x, n / 2 + 1);
            tangent = __enzyme_fwddiff((void *)both, enzyme_dup, x, d, enzyme_const, n);
            x[k] += h;
            up = both(x, n);
            x[k] -= 2 * h;
            down = both(x, n);
            x[k] += h;
            want = (up - down) / (2 * h);
        }
        d[k] = 0;
        if (!(fabs(tangent - want) < 1e-6 * (1 + fabs(want)))) {
            printf("%d, %d of %d: %.10g, expected %.10g\n", which, k, n, tangent, want);
            bad++;
        }
    }
    return bad;
}

int main(void)
{
    int bad = 0;
    for (int n = 3; n < 40; n += 12)
        for (int which = 0; which < 3; which++)
            bad += check(which, n);
    return bad != 0;
}
