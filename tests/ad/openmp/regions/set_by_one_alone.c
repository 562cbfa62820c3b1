// What one thread sets for all, where others could not do the same: from its own numbers, or read further inside before it is set, or in a region that runs again.
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>

extern int enzyme_const, enzyme_dup;
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

enum { N = 13 };

/* The loop in the branch reads the buffers before they are exchanged, the other one behind that. */
static double read_inside(const double *x, int n)
{
    double a[N], b[N], *from = a, *to = b, sum = 0.0;
    int steps = 0;
    memcpy(a, x, sizeof a);
    memcpy(b, x, sizeof b);
#pragma omp parallel
    for (int t = 0; t < 4; t++) {
#pragma omp for
        for (int i = 0; i < n; i++)
            to[i] = sin(from[i]) + 0.5 * x[(i + 1) % n];
#pragma omp single
        {
            for (int i = 0; i < n; i++)
                sum += from[i] * to[(i + 1) % n] * (i + 1);
            double *gone = from;
            from = to;
            to = gone;
            steps++;
            if (steps > 2)
                sum += from[steps] * steps;
        }
    }
    return sum;
}

/* The master's number, its share and its own array are not those of the others. */
static double own_numbers(const double *x, int n)
{
    double out[N] = {0}, sum = 0.0;
    const double *p = x;
    int first = 0, factor = 1;
#pragma omp parallel
    {
        int me = omp_get_thread_num(), all = omp_get_num_threads(), share = (n + all - 1) / all;
        double mine[N];
        for (int i = 0; i < n; i++)
            mine[i] = x[i] * x[i] * (me + 1);
#pragma omp master
        {
            first = me * share + 1;
            factor = 2 * me + 3;
            p = mine;
        }
#pragma omp barrier
#pragma omp for
        for (int i = first; i < n; i++)
            out[i] = p[i] * factor * (i + 1);
    }
    for (int i = 0; i < n; i++)
        sum += out[i];
    return sum;
}

/* Nobody but the region itself reads the number, when it runs again. */
static double runs_again(const double *x, int n)
{
    double u[2][N], sum = 0.0;
    int now = 0;
    memcpy(u[0], x, sizeof u[0]);
    memcpy(u[1], x, sizeof u[1]);
    for (int t = 0; t < 5; t++) {
#pragma omp parallel
        {
#pragma omp for
            for (int i = 0; i < n; i++)
                u[1 - now][i] = sin(u[now][i]) + 0.3 * u[now][(i + 1) % n];
#pragma omp single
            now = 1 - now;
        }
    }
    for (int i = 0; i < n; i++)
        sum += u[1][i] * (i + 1) + u[0][i];
    return sum;
}

/* The second thread, if there is one, sets what the first does not. */
static double other_thread(const double *x, int n)
{
    double c[2 * N], out[N], sum = 0.0, *p = c + n, *q = c;
    for (int i = 0; i < n; i++) {
        c[i] = x[i] * x[i];
        c[n + i] = sin(x[i]);
    }
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            p = c;
        } else {
            q = c + n;
        }
#pragma omp barrier
#pragma omp for
        for (int i = 0; i < n; i++)
            out[i] = p[i] * q[i] * (i + 1);
    }
    for (int i = 0; i < n; i++)
        sum += out[i];
    return sum;
}

/* Which buffer is which follows from the step, each from the other. */
static double in_a_circle(const double *x, int n)
{
    double u[3][N], sum = 0.0;
    int now = 0, next = 1;
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < n; i++)
            u[k][i] = x[i] * (k + 1);
#pragma omp parallel
    {
        int t = 0;
        while (t < 6) {
#pragma omp for schedule(dynamic, 1)
            for (int i = 0; i < n; i++)
                u[next][i] = sin(u[now][(i + 1) % n]) + 0.5 * x[i];
#pragma omp single
            {
                now = (t + 1) % 3;
                next = (now + 1) % 3;
            }
            t++;
            if (t == 5)
                break;
        }
    }
    for (int i = 0; i < n; i++)
        sum += (u[0][i] + 2 * u[1][i] + 3 * u[2][i]) * (i + 1);
    return sum + now * x[0];
}

/* The first thread's own number, which the others see: they wait for it in the barrier of `single`. */
static double seen_by_others(const double *x, int n)
{
    double sum = 0.0;
    int phase = 0, *seen = 0;
#pragma omp parallel
    {
        int own = 0;
#pragma omp master
        seen = &own;
#pragma omp barrier
        for (int t = 0; t < 6; t++) {
#pragma omp barrier
            own = t + 2;
#pragma omp single
            phase = t + 1;
            int factor = *seen * phase;
#pragma omp for reduction(+ : sum)
            for (int i = 0; i < n; i++)
                sum += factor * x[i] * x[i];
        }
#pragma omp barrier
    }
    return 0.01 * sum;
}

static int check(const char *name, double (*f)(const double *, int))
{
    double x[N], bar[N] = {0}, worst = 0.0;
    for (int i = 0; i < N; i++)
        x[i] = 0.4 + 0.3 * sin(1.7 * i);
    __enzyme_autodiff((void *)f, enzyme_dup, x, bar, enzyme_const, N);
    for (int i = 0; i < N; i++) {
        double h = 1e-6, old = x[i], dot[N] = {0};
        x[i] = old + h;
        double up = f(x, N);
        x[i] = old - h;
        double down = f(x, N);
        x[i] = old;
        dot[i] = 1.0;
        double tangent = __enzyme_fwddiff((void *)f, enzyme_dup, x, dot, enzyme_const, N);
        double error = fmax(fabs(bar[i] - (up - down) / (2 * h)), fabs(bar[i] - tangent)) / (1 + fabs(bar[i]));
        if (!(error <= worst))
            worst = error;
    }
    if (!(worst < 2e-7)) {
        printf("%s: %g\n", name, worst);
        return 1;
    }
    return 0;
}

int main(void)
{
    int wrong = 0;
    wrong += check("read inside", read_inside);
    wrong += check("own numbers", own_numbers);
    wrong += check("runs again", runs_again);
    wrong += check("other thread", other_thread);
    wrong += check("in a circle", in_a_circle);
    for (int time = 0; time < 5; time++)
        wrong += check("seen by others", seen_by_others);
    return wrong != 0;
}
