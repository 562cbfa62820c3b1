#include "../../check.h"
static double f(double *x, int n)
{
    double s = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : s)
    for (int i = 0; i < n; i++) {
#pragma omp task in_reduction(+ : s) firstprivate(i)
        s += x[i] * x[i] * x[0];
    }
    return s;
}
/* Other operators, and one that the program declares. */
typedef struct {
    double sum, squares;
} moments;
#pragma omp declare reduction(together : moments : omp_out.sum += omp_in.sum, omp_out.squares += omp_in.squares) initializer(omp_priv = {0, 0})
static double operators(double *x, int n)
{
    double s = 0.5, p = 1, most = -1e300;
    moments m = {0, 1};
    int count = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : s, count) task_reduction(* : p) task_reduction(max : most) task_reduction(together : m)
    for (int i = 0; i < n; i++) {
#pragma omp task in_reduction(+ : s, count) in_reduction(* : p) in_reduction(max : most) in_reduction(together : m) firstprivate(i)
        {
            s += x[i] * x[i];
            p *= 1 + 0.1 * x[i];
            most = fmax(most, x[i] - 0.1 * i);
            m.sum += x[i];
            m.squares += x[i] * x[i];
            count += 2;
        }
    }
    return s * p + most * count + m.sum * m.squares;
}
static double of_team(double *x, int n)
{
    double s = 0;
#pragma omp parallel reduction(task, + : s)
    {
#pragma omp for nowait
        for (int i = 0; i < n; i++) {
#pragma omp task in_reduction(+ : s) firstprivate(i)
            s += x[i] * x[i] * x[i];
        }
    }
    return s * s;
}
GRADIENT(f)
GRADIENT(operators)
GRADIENT(of_team)
int main(void) { return CHECK(f, 12) | CHECK(operators, 9) | CHECK(of_team, 11); }
