// grad: scale
// no: atomic
// deterministic some: omp parallel
void scale(double *x, const double *w, int n)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[i] *= w[i] * w[i];
}
