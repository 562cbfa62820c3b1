/* Scaled dot-product attention with a causal mask and stable softmax, VLA scores. */
#include <math.h>
#include <stdio.h>

extern int enzyme_dup, enzyme_const;
double __enzyme_autodiff(void *, ...);

static void softmax(double *s, int n)
{
    double m = -INFINITY, z = 0;
    for (int i = 0; i < n; i++)
        m = s[i] > m ? s[i] : m;
    for (int i = 0; i < n; i++)
        z += (s[i] = exp(s[i] - m));
    for (int i = 0; i < n; i++)
        s[i] /= z;
}

static double attention(int n, int d, const double q[n][d], const double k[n][d], const double v[n][d])
{
    double score[n], total = 0, scale = 1 / sqrt(d);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
            score[j] = 0;
            for (int c = 0; c < d; c++)
                score[j] += q[i][c] * k[j][c];
            score[j] *= scale;
        }
        softmax(score, i + 1);
        for (int c = 0; c < d; c++) {
            double o = 0;
            for (int j = 0; j <= i; j++)
                o += score[j] * v[j][c];
            total += o * o * (c + 1);
        }
    }
    return total;
}

int main(void)
{
    enum { N = 5, D = 3 };
    double x[3][N][D], g[3][N][D] = {{{0}}};
    double *px = &x[0][0][0], *pg = &g[0][0][0];
    for (int i = 0; i < 3 * N * D; i++)
        px[i] = sin(1.7 * i);
    __enzyme_autodiff((void *)attention, enzyme_const, N, enzyme_const, D, enzyme_dup, x[0], g[0], enzyme_dup, x[1], g[1], enzyme_dup, x[2], g[2]);
    for (int i = 0; i < 3 * N * D; i++) {
        double keep = px[i];
        px[i] = keep + 1e-6;
        double a = attention(N, D, x[0], x[1], x[2]);
        px[i] = keep - 1e-6;
        double b = attention(N, D, x[0], x[1], x[2]);
        px[i] = keep;
        if (!(fabs(pg[i] - (a - b) / 2e-6) < 1e-7)) {
            printf("entry %d: %g vs %g\n", i, pg[i], (a - b) / 2e-6);
            return 1;
        }
    }
    return 0;
}
