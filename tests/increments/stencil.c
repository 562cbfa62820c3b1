// grad: smooth
// no: atomic
// how: u[i - 1]: plain: only threads with neighbouring shares meet, and take turns
double smooth(const double *u, double *v, int n, int m)
{
    double s = 0.0;
#pragma omp parallel for
    for (int i = 1; i < n - 1; i++)
        v[i] = u[i] * u[i] + 0.5 * u[i - 1] * u[i + 1];
#pragma omp parallel for reduction(+ : s)
    for (int i = 1; i < n - 1; i++)
        for (int j = 0; j < m; j++)
            s += v[i] * v[i + 1];
    return s;
}
