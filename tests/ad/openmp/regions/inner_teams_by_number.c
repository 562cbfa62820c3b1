// Teams inside a team that ask for the numbers of their threads, or do something once for each: with one active level, and with two.
#include "../../check.h"
#include <omp.h>
#include <stdlib.h>
static double two_levels(double *x, int n)
{
    double part[4] = {0};
#pragma omp parallel num_threads(2)
    {
        int outer = omp_get_thread_num(), teams = omp_get_num_threads();
#pragma omp parallel num_threads(2)
        {
            int id = outer * omp_get_num_threads() + omp_get_thread_num();
            int all = teams * omp_get_num_threads();
            double mine = 0;
            for (int i = id; i < n; i += all)
                mine += x[i] * x[i];
#pragma omp critical
            part[id % 4] += mine;
        }
    }
    return part[0] + part[1] * part[1] + part[2] + 2 * part[3];
}
GRADIENT(two_levels)
// What a thread leaves in a reduction need not go on with what is there.
static double left_in_a_reduction(double *x, int n)
{
    double total = 0;
#pragma omp parallel for reduction(+ : total)
    for (int i = 0; i < n; i++) {
        double row = x[0];
#pragma omp parallel reduction(+ : row)
        {
            int t = omp_get_thread_num(), all = omp_get_num_threads();
            double mine = 0;
            for (int j = n * t / all; j < n * (t + 1) / all; j++)
                mine += x[i] * x[j] * (j + 1);
            row = mine;
        }
        total += sin(row);
    }
    return total;
}
GRADIENT(left_in_a_reduction)
static double counted(double *x, int n)
{
    double sum = 0;
    int count = 0;
#pragma omp parallel num_threads(2)
    {
#pragma omp parallel num_threads(3)
        {
#pragma omp atomic
            count++;
#pragma omp master
            {
#pragma omp atomic
                sum += x[0] * x[1];
            }
        }
    }
    for (int i = 0; i < n; i++)
        sum += x[i] * x[i];
    return sum * count;
}
GRADIENT(counted)
// Where its threads share out a loop there must be one.
static double numbers(double *x, int n)
{
    double s[8] = {0}, r = 0;
#pragma omp parallel num_threads(2)
    {
        int outer = omp_get_thread_num();
#pragma omp parallel for num_threads(2)
        for (int i = 0; i < n; i++) {
#pragma omp atomic
            s[outer * 2 + omp_get_thread_num()] += x[i] * x[i];
        }
    }
    for (int i = 0; i < 8; i++)
        r += s[i] * s[i] * (i + 1);
    return r;
}
GRADIENT(numbers)
int main(void)
{
    omp_set_max_active_levels(1);
    int bad = CHECK(numbers, 9) + CHECK(two_levels, 21) + CHECK(left_in_a_reduction, 9) + CHECK(counted, 7);
    omp_set_max_active_levels(2);
    return bad + CHECK(two_levels, 21) + CHECK(left_in_a_reduction, 9) + CHECK(counted, 7);
}
