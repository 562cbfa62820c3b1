// grad: norms
// A factor that is stored by columns, one after the other: a running index, in rows whose length only the caller knows.
// no: atomic
// how: factor[j * size][at]: a copy for each thread
double norms(const double *factor, const double *x, int n, int d, int size)
{
    double sum = 0.0;
#pragma omp parallel for reduction(+ : sum)
    for (int p = 0; p < n; p++)
        for (int j = 0; j < 3; j++) {
            const double *row = &factor[j * size];
            double out[16] = {0};
            int at = 0;
            for (int i = 0; i < d; i++)
                for (int k = i + 1; k < d; k++)
                    out[k] += row[at++] * x[p];
            for (int i = 0; i < d; i++)
                sum += out[i] * out[i];
        }
    return sum;
}
