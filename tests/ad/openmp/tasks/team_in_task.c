// A team that asks for its numbers, in a function that a task calls: where the team of the task is read serially, the inner one is still inside a team.
#include "../../check.h"
#include <omp.h>

static double shared_out(const double *x, int n, double v)
{
    double s = 0, w[8] = {0};
#pragma omp parallel reduction(+ : s)
    {
        int me = omp_get_thread_num(), threads = omp_get_num_threads();
        for (int i = me; i < n; i += threads)
            s += x[i] * v;
#pragma omp barrier
#pragma omp for
        for (int i = 0; i < 8; i++)
            w[i] = sin(v * x[i % n]);
        for (int i = me; i < 8; i += threads)
            s += w[i];
    }
    return s;
}

static double in_tasks(double *x, int n)
{
    double first = 0, second = 0.5;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task shared(first) depend(out : first)
        first = shared_out(x, n, x[1]) * shared_out(x, n, x[0]);
#pragma omp task shared(first, second) depend(in : first) depend(inout : second)
        second = 0.5 * second + first * x[2];
    }
    return second * second;
}
GRADIENT(in_tasks)

int main(void)
{
    omp_set_max_active_levels(1);
    return CHECK(in_tasks, 6);
}
