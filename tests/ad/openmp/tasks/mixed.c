// Tasks of many kinds: nested, conditional, in loops with what the maker computes in between, with frees and with values that they take along.
#include "../../check.h"

/* A task and a call of its own at the same time; leaves are done at once. */
static double tree(const double *x, int n, int depth)
{
    double left = 0, right;
    if (n <= 2)
        return n == 2 ? x[0] * x[1] : sin(x[0]);
#pragma omp task shared(left) if (depth < 3)
    left = tree(x, n / 2, depth + 1);
    right = tree(x + n / 2, n - n / 2, depth + 1);
#pragma omp taskwait
    return left * cos(right) + 0.3 * right;
}

static double divide(double *x, int n)
{
    double result = 0;
#pragma omp parallel
#pragma omp master
    result = tree(x, n, 0);
    return result;
}

/* The maker computes between tasks what later tasks read. */
static double chain(double *x, int n)
{
    double *y = malloc(n * sizeof *y), a = 1, s = 0;
#pragma omp parallel
#pragma omp single
    {
        for (int i = 0; i < n; i++) {
            double b = a * x[i];
#pragma omp task shared(y) firstprivate(b)
            y[i] = sin(b) * x[(i + 1) % n];
            a = 0.5 * a + 0.1 * b * b;
        }
#pragma omp taskwait
        for (int i = 0; i < n; i++)
            s += y[i] * a;
    }
    free(y);
    return s;
}

/* Tasks that allocate, and tasks in tasks, without a wait of their own. */
static void fill(double *out, const double *x, int n)
{
    double *scratch = malloc(n * sizeof *scratch);
    for (int i = 0; i < n; i++)
        scratch[i] = x[i] * x[i];
    for (int i = 0; i < n; i++)
        out[i] += scratch[i] * scratch[n - 1 - i];
    free(scratch);
}

static double nested(double *x, int n)
{
    double y[64] = {0}, s = 0;
    int half = n / 2;
#pragma omp parallel num_threads(3)
#pragma omp single
    {
#pragma omp taskgroup
        {
#pragma omp task
            {
                fill(y, x, half);
#pragma omp task
                fill(y + half, x + half, n - half);
            }
#pragma omp task shared(s)
            {
                double t = 0;
                for (int i = 0; i < n; i++)
                    t += x[i] * x[i];
#pragma omp atomic
                s += t;
            }
        }
        for (int i = 0; i < n; i++)
            s += 0.1 * y[i] * y[i];
    }
    return s;
}

/* Steps of a time loop, each with tasks on blocks. */
static double blocks(double *x, int n)
{
    double u[64], v[64], *from = u, *to = v;
    memcpy(u, x, n * sizeof *u);
#pragma omp parallel
#pragma omp single
    for (int step = 0; step < 4; step++) {
        for (int block = 0; block < n; block += 4)
#pragma omp task firstprivate(from, to)
            for (int i = block; i < n && i < block + 4; i++) {
                int l = i ? i - 1 : i, r = i < n - 1 ? i + 1 : i;
                to[i] = from[i] + 0.2 * (from[l] - 2 * from[i] + from[r]) * x[i];
            }
#pragma omp taskwait
        double *t = from;
        from = to;
        to = t;
    }
    double s = 0;
    for (int i = 0; i < n; i++)
        s += from[i] * from[i];
    return s;
}

/* A loop as tasks in every form. */
static double loops(double *x, int n)
{
    double y[64], z[64] = {0}, s = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskloop grainsize(3)
        for (int i = 0; i < n; i++)
            y[i] = x[i] * sin(x[n - 1 - i]);
#pragma omp taskloop num_tasks(5)
        for (int i = n - 1; i >= 0; i -= 2)
            z[i] = y[i] * y[i > 0 ? i - 1 : 0];
#pragma omp taskloop collapse(2)
        for (int i = 0; i < n / 3; i++)
            for (int j = 0; j < 3; j++)
                z[3 * i + j] += x[3 * i + j] * y[j];
    }
    for (int i = 0; i < n; i++)
        s += z[i];
    return s;
}

GRADIENT(divide)
GRADIENT(chain)
GRADIENT(nested)
GRADIENT(blocks)
GRADIENT(loops)
int main(void)
{
    return CHECK(divide, 23) | CHECK(chain, 17) | CHECK(nested, 20) | CHECK(blocks, 19) | CHECK(loops, 21);
}
