// grad: product
// Products of matrices that are arrays of pointers to rows, in two orders: of the second one all threads read all.
// how: a[i][k]: plain: each thread reads its own rows
// how: b[k][j]: a copy for each thread
// how: d[k][j]: a copy for each thread
// some: adjoin_sum_rows_double

double product(double **a, double **b, double **d, double **c, int n, int m)
{
    double s = 0;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double t = 0;
            for (int k = 0; k < n; k++)
                t += a[i][k] * b[k][j];
            c[i][j] = t;
        }
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int k = 1; k < m; k++)
            for (int j = 0; j < n; j++)
                c[i][j] += a[i][k] * d[k][j];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            s += c[i][j] * c[i][j];
    return s;
}
