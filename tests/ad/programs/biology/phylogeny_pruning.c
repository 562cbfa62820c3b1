/* Felsenstein pruning on a binary tree in post-order arrays, Jukes-Cantor model, branch lengths active. */
#include <math.h>
#include <stdio.h>

#define LEAVES 4
#define NODES (2 * LEAVES - 1)
extern int enzyme_dup;
extern int enzyme_const;
double __enzyme_autodiff(void *, ...);

static void transition(double t, double p[4][4])
{
    double e = exp(-4 * t / 3);
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            p[i][j] = i == j ? 0.25 + 0.75 * e : 0.25 - 0.25 * e;
}

static int letter_index(char c)
{
    return c == 'A' ? 0 : c == 'C' ? 1 : c == 'G' ? 2 : 3;
}

double log_likelihood(const double *length, const int (*children)[2], const char *const *seqs, int sites)
{
    double total = 0;
    for (int s = 0; s < sites; s++) {
        double part[NODES][4];
        for (int n = 0; n < LEAVES; n++)
            for (int k = 0; k < 4; k++)
                part[n][k] = letter_index(seqs[n][s]) == k;
        for (int n = LEAVES; n < NODES; n++) {
            for (int k = 0; k < 4; k++)
                part[n][k] = 1;
            for (int c = 0; c < 2; c++) {
                int child = children[n - LEAVES][c];
                double p[4][4];
                transition(length[child], p);
                for (int i = 0; i < 4; i++) {
                    double sum = 0;
                    for (int j = 0; j < 4; j++)
                        sum += p[i][j] * part[child][j];
                    part[n][i] *= sum;
                }
            }
        }
        const double *root = part[NODES - 1];
        total += log(0.25 * (root[0] + root[1] + root[2] + root[3]));
    }
    return total;
}

int main(void)
{
    double len[NODES] = {0.1, 0.2, 0.15, 0.3, 0.05, 0.25, 0}, d[NODES] = {0};
    const int children[LEAVES - 1][2] = {{0, 1}, {2, 3}, {4, 5}};
    const char *seqs[LEAVES] = {"ACGTA", "ACGAA", "CCGTT", "ACTTA"};
    __enzyme_autodiff((void *)log_likelihood, enzyme_dup, len, d, enzyme_const, children, enzyme_const, seqs, enzyme_const, 5);
    for (int i = 0; i < NODES; i++) {
        double k = len[i];
        len[i] = k + 1e-6;
        double a = log_likelihood(len, children, seqs, 5);
        len[i] = k - 1e-6;
        double b = log_likelihood(len, children, seqs, 5);
        len[i] = k;
        if (!(fabs(d[i] - (a - b) / 2e-6) < 1e-6)) {
            printf("branch %d: %g vs %g\n", i, d[i], (a - b) / 2e-6);
            return 1;
        }
    }
    return 0;
}
