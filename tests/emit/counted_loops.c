// run: emit %s
void scale(double *x, int n, double factor)
{
    for (int i = 0; i < n; i++)
        x[i] *= factor;
}

double backwards(const double *x, int n)
{
    double sum = 0.0;
    int i = n;
    while (i > 0) {
        i--;
        sum += x[i];
    }
    return sum;
}

void transpose(int n, double a[n][n])
{
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) {
            double t = a[i][j];
            a[i][j] = a[j][i];
            a[j][i] = t;
        }
}
