// grad: fluxes
// how: u[b]: recorded: plain if the threads stay apart
// how: w[k]: plain
// some: copying
void fluxes(const int *ends, const double *w, const double *u, double *out, int m)
{
#pragma omp parallel for
    for (int k = 0; k < m; k++) {
        int a = ends[2 * k], b = ends[2 * k + 1];
        double flux = w[k] * (u[b] - u[a]);
#pragma omp atomic
        out[a] += flux;
#pragma omp atomic
        out[b] -= flux;
    }
}
