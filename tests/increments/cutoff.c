// grad: energy
// How threads add is found from the list alone, in front of the region, which then runs each pair together with its reverse: nothing is kept of which pairs are near.
// no: adjoin_resize
// some: recording
// how: x[3 * j]: recorded: plain if the threads stay apart
double energy(const double *x, const int *start, const int *list, int n)
{
    double e = 0.0;
#pragma omp parallel for reduction(+ : e)
    for (int i = 0; i < n; i++)
        for (int k = start[i]; k < start[i + 1]; k++) {
            int j = list[k];
            double dx = x[3 * i] - x[3 * j], dy = x[3 * i + 1] - x[3 * j + 1], dz = x[3 * i + 2] - x[3 * j + 2];
            double r2 = dx * dx + dy * dy + dz * dz;
            if (r2 < 6.25) {
                double s = 1.0 / (r2 * r2 * r2), cut = 1.0 - r2 / 6.25;
                e += 2.0 * (s * s - s) * cut * cut;
            }
        }
    return e;
}
