// grad: product
// how: values[k]: recorded: plain if the threads stay apart
// how: x[columns[k]]: recorded: plain if the threads stay apart
// some: adjoin_way
double product(const int *starts, const int *columns, const double *values, const double *x, int n)
{
    double sum = 0.0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < n; i++) {
        double row = 0.0;
        for (int k = starts[i]; k < starts[i + 1]; k++)
            row += values[k] * x[columns[k]];
        sum += row * row;
    }
    return sum;
}
