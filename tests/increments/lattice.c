// grad: streamed
// Distances to neighbours from a table of constants, around the ends: only neighbouring shares meet.
// no: atomic
// no: copies
// how: f[(fy * 48 + fx) * 9 + q]: plain: only threads with neighbouring shares meet, and take turns
enum { N = 48, Q = 9 };
static const int ex[Q] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, ey[Q] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
double streamed(const double *f, double *g, int n)
{
    double sum = 0.0;
#pragma omp parallel for
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++) {
            double rho = 0.0, in[Q];
            for (int q = 0; q < Q; q++) {
                int fx = (x - ex[q] + N) % N, fy = (y - ey[q] + N) % N;
                in[q] = f[(fy * N + fx) * Q + q];
                rho += in[q];
            }
            for (int q = 0; q < Q; q++)
                g[(y * N + x) * Q + q] = in[q] * in[q] / (rho + n);
        }
    for (int k = 0; k < N * N * Q; k++)
        sum += g[k] * g[k];
    return sum;
}
