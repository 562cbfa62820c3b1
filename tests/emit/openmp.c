// run: emit %s -fopenmp
double dot(const double *x, const double *y, int n)
{
    double sum = 0.0;
#pragma omp parallel for reduction(+ : sum) schedule(static)
    for (int i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}
