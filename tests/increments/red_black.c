// grad: relax
// Every other point of a row, from one that its number decides: the rows above and below are those of neighbours.
// no: atomic
// no: adjoin_way
// how: f[i * n + j]: plain: each thread reads its own part
double relax(double *u, const double *f, int n)
{
    double sum = 0.0;
#pragma omp parallel
    for (int s = 0; s < 4; s++)
        for (int colour = 0; colour < 2; colour++) {
#pragma omp for
            for (int i = 1; i < n - 1; i++)
                for (int j = 1 + (i + colour) % 2; j < n - 1; j += 2)
                    u[i * n + j] = 0.25 * (u[(i - 1) * n + j] + u[(i + 1) * n + j] + u[i * n + j - 1] + u[i * n + j + 1] - f[i * n + j]) / (1.0 + u[i * n + j] * u[i * n + j]);
        }
    for (int i = 0; i < n * n; i++)
        sum += u[i] * u[i];
    return sum;
}
