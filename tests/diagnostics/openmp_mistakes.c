// run: ir %s --openmp
int f(int n, double *a)
{
    double sum = 0;
#pragma omp paralel for
    for (int i = 0; i < n; i++)
        a[i] = i;
#pragma omp parallel for reduction(sum)
    for (int i = 0; i < n; i++)
        sum += a[i];
#pragma omp parallel for schedule(static, num_threads(4)
    for (int i = 0; i < n; i++)
        a[i] += missing;
#pragma omp parallel for private(nothing)
    for (int i = 0; i < n; i++)
        a[i] += 1;
    return sum > 0;
#pragma omp parallel
}
