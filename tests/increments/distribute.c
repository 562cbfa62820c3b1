// grad: tiles
// One thread goes through the tiles; a team works on each.
// no: Read serially
// how: x[b + j]: plain
double tiles(const double *x, int n)
{
    double s = 0;
#pragma omp target teams distribute map(to : x[0 : n]) map(tofrom : s) reduction(+ : s)
    for (int b = 0; b < n; b += 64) {
        double t = 0;
#pragma omp parallel for reduction(+ : t)
        for (int j = 0; j < 64; j++)
            t += x[b + j] * x[b + j];
        s += t * t;
    }
    return s;
}
