/* Smith-Waterman with soft maxima, anti-diagonals in parallel, rows in separately allocated arrays */
#include "../../check.h"
#define L 9
static double softmax3(double a, double b, double c)
{
    double top = fmax(a, fmax(b, c));
    return top + 0.2 * log(exp((a - top) / 0.2) + exp((b - top) / 0.2) + exp((c - top) / 0.2));
}
static double f(double *x, int n)
{
    static const char *s = "GATTACAGA", *t = "GCATGCUAA";
    double **h = malloc((L + 1) * sizeof *h), best = 0;
    (void)n;
    for (int i = 0; i <= L; i++) h[i] = calloc(L + 1, sizeof **h);
    for (int d = 2; d <= 2 * L; d++) {
        int lo = d > L ? d - L : 1, hi = d - 1 < L ? d - 1 : L;
        #pragma omp parallel for
        for (int i = lo; i <= hi; i++) {
            int j = d - i;
            double match = s[i - 1] == t[j - 1] ? x[0] : -x[1];
            h[i][j] = softmax3(h[i - 1][j - 1] + match, h[i - 1][j] - x[2], h[i][j - 1] - x[2]) * x[3];
        }
    }
    #pragma omp parallel for reduction(max:best) collapse(2)
    for (int i = 0; i <= L; i++)
        for (int j = 0; j <= L; j++)
            if (h[i][j] > best) best = h[i][j];
    best += h[L][L];
    for (int i = 0; i <= L; i++) free(h[i]);
    free(h);
    return best;
}
GRADIENT(f)
int main(void) { return CHECK(f, 4); }
