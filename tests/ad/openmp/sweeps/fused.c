// Regions that run once, each thread its part and at once the reverse of it; and some that look like them but must not.
#include "../../check.h"
#include <omp.h>

static double term(const double *x, int i)
{
    double t[3], s = 0;
    for (int k = 0; k < 3; k++)
        t[k] = tanh(x[i] * x[k] + 0.1 * i);
    for (int k = 0; k < 3; k++)
        s += t[k] * t[(k + 1) % 3];
    return exp(-s * s);
}

/* Two regions, one sum. */
static double two(double *x, int n)
{
    double sum = x[0];
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < n; i++)
        sum += term(x, i);
    sum *= 0.5;
#pragma omp parallel for reduction(+ : sum) schedule(static, 2)
    for (int i = 0; i < n; i++)
        sum += term(x, n - 1 - i) * sin(x[i]);
    return 3 * sum;
}

/* Memory of each thread's own, a loop with a barrier behind it, several sums. */
static double scratch(double *x, int n)
{
    double sum = 0, other = 0;
    int count = 0;
#pragma omp parallel reduction(+ : sum, other, count)
    {
        double *t = malloc((size_t)n * sizeof *t);
#pragma omp for
        for (int i = 0; i < n; i++) {
            for (int k = 0; k < n; k++)
                t[k] = sin(x[k] * x[i] + i);
            for (int k = 0; k < n; k++)
                sum += t[k] * t[k];
            other -= exp(-t[0] * t[0]);
            count++;
        }
        free(t);
    }
    return sum + 2 * other + (count == n);
}

/* The sum is needed by what follows. */
static double needed(double *x, int n)
{
    double sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < n; i++)
        sum += term(x, i);
    return sqrt(1 + sum * sum) * x[1];
}

/* What the region reads is changed afterwards. */
static double changed(double *x, int n)
{
    double y[64], sum = 0;
    for (int i = 0; i < n; i++)
        y[i] = x[i] * x[i];
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < n; i++)
        sum += term(y, i);
    for (int i = 0; i < n; i++)
        y[i] = sin(y[i]);
    for (int i = 0; i < n; i++)
        sum += y[i];
    return sum;
}

/* Places for threads, made by hand; the second sum is of squares. */
static double by_hand(double *x, int n)
{
    double parts[64] = {0}, squares[64] = {0}, sum = 0, more = 0;
#pragma omp parallel
    {
        double own = 0, square = 0;
        int thread = omp_get_thread_num();
#pragma omp for
        for (int i = 0; i < n; i++) {
            double t = term(x, i);
            own += t;
        }
        parts[thread] = own;
        square = 0.1 * thread;
        squares[thread] = square * x[0];
    }
    for (int k = 0; k < 64; k++)
        sum += parts[k];
    for (int k = 0; k < 64; k++)
        more += squares[k] * 0.0;
    return sum + more;
}

/* Teams of other sizes, before and after. */
static double sizes(double *x, int n)
{
    double sum = 0;
    int most = omp_get_max_threads();
    omp_set_num_threads(2);
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < n; i++)
        sum += term(x, i);
    omp_set_num_threads(4);
#pragma omp parallel for reduction(+ : sum) num_threads(3) if (n > 2)
    for (int i = 0; i < n; i++)
        sum += term(x, i) * x[i];
    omp_set_num_threads(most);
    return sum;
}

/* A weight that all threads read, and the result through a pointer. */
static void weighted(const double *x, double w, int n, double *out)
{
    double sum = 0;
#pragma omp parallel for reduction(+ : sum) schedule(dynamic, 3)
    for (int i = 0; i < n; i++)
        sum += w * term(x, i) * w;
    *out = sum / n;
}
static double stored(double *x, int n)
{
    double out;
    weighted(x, x[2], n, &out);
    return out * 7;
}

/* A product and a maximum are not sums. */
static double others(double *x, int n)
{
    double product = 1, most = -10;
#pragma omp parallel for reduction(* : product) reduction(max : most)
    for (int i = 0; i < n; i++) {
        double t = 1 + 0.1 * term(x, i);
        product *= t;
        most = t * x[i] > most ? t * x[i] : most;
    }
    return product + most;
}

GRADIENT(two)
GRADIENT(scratch)
GRADIENT(needed)
GRADIENT(changed)
GRADIENT(by_hand)
GRADIENT(sizes)
GRADIENT(stored)
GRADIENT(others)

extern int enzyme_primal_return, enzyme_dup, enzyme_const;

/* The value comes with the gradient. */
static int value(double (*f)(double *, int), double (*both)(double *, double *, int))
{
    double x[12], bar[12] = {0};
    for (int i = 0; i < 12; i++)
        x[i] = 0.5 + 0.1 * i;
    double given = both(x, bar, 12), right = f(x, 12);
    if (fabs(given - right) <= 1e-12 * fabs(right))
        return 0;
    printf("the value is %.15g, not %.15g\n", given, right);
    return 1;
}
static double two_both(double *x, double *bar, int n)
{
    return __enzyme_autodiff((void *)two, enzyme_primal_return, enzyme_dup, x, bar, enzyme_const, n);
}
static double scratch_both(double *x, double *bar, int n)
{
    return __enzyme_autodiff((void *)scratch, enzyme_primal_return, enzyme_dup, x, bar, enzyme_const, n);
}

int main(void)
{
    return CHECK(two, 11) | CHECK(scratch, 9) | CHECK(needed, 10) | CHECK(changed, 12) | CHECK(by_hand, 10) | CHECK(sizes, 9) | CHECK(stored, 13) |
           CHECK(others, 8) | value(two, two_both) | value(scratch, scratch_both);
}
