// grad: wave
// Arguments that each thread exchanges for itself, both of which are read: they take turns.
// no: atomic
// how: c[i]: plain: each thread reads its own part
// how: now[i]: plain: only threads with neighbouring shares meet, and take turns
// how: old[i]: plain: each thread reads its own part
double wave(int n, int steps, const double *c, double *u, double *v)
{
#pragma omp parallel
    {
        double *now = u, *old = v;
        for (int t = 0; t < steps; t++) {
#pragma omp for
            for (int i = 1; i < n - 1; i++)
                old[i] = 2 * now[i] - old[i] + c[i] * (now[i + 1] - 2 * now[i] + now[i - 1]);
            double *other = now;
            now = old;
            old = other;
        }
    }
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += u[i] * u[i] * v[i];
    return sum;
}
