// message: adjoin: a team inside a team may have several threads, and its derivative cannot know how many
#include <omp.h>
double __enzyme_autodiff(void *, ...);
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
int main(void)
{
    double x[3] = {1, 2, 3}, bar[3] = {0};
    omp_set_max_active_levels(2);
    __enzyme_autodiff((void *)numbers, x, bar, 3);
    return 0;
}
