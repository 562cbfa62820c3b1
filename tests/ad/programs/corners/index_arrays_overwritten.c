/* Index arrays that change while they steer: permutations updated in the loop, counters in memory, union-find. */
#include <math.h>
#include <stdio.h>

extern int enzyme_dup, enzyme_const;
double __enzyme_autodiff(void *, ...);

static int find(int *parent, int i)
{
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

double shuffle(const double *x, int n, int rounds)
{
    int perm[8], parent[8], count[3] = {0};
    double y[8], s = 0;
    for (int i = 0; i < n; i++) {
        perm[i] = parent[i] = i;
        y[i] = x[i];
    }
    for (int r = 0; r < rounds; r++) {
        for (int i = 0; i < n; i++) {
            int j = (perm[i] * 3 + r) % n, t = perm[i];
            perm[i] = perm[j];
            perm[j] = t;
            y[perm[i]] = y[perm[i]] * 0.8 + 0.3 * y[perm[j]] * y[i];
            count[perm[i] % 3]++;
        }
        int a = find(parent, perm[0]), b = find(parent, perm[r % n]);
        parent[a] = b;
        y[b] += 0.1 * y[a] * count[r % 3];
    }
    for (int i = 0; i < n; i++)
        s += y[perm[i]] * (i + 1) * (parent[i] + 1);
    return s;
}

int main(void)
{
    double x[8], g[8] = {0};
    for (int i = 0; i < 8; i++)
        x[i] = 0.5 + 0.3 * sin(2.0 * i);
    __enzyme_autodiff((void *)shuffle, enzyme_dup, x, g, enzyme_const, 8, enzyme_const, 5);
    for (int i = 0; i < 8; i++) {
        double k = x[i];
        x[i] = k + 1e-6;
        double p = shuffle(x, 8, 5);
        x[i] = k - 1e-6;
        double m = shuffle(x, 8, 5);
        x[i] = k;
        if (!(fabs(g[i] - (p - m) / 2e-6) < 1e-6 * (1 + fabs(g[i])))) {
            printf("x[%d]: %g vs %g\n", i, g[i], (p - m) / 2e-6);
            return 1;
        }
    }
    return 0;
}
