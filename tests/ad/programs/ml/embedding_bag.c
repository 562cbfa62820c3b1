/* Embedding lookup with repeated indices (scatter-add in the reverse sweep), cross entropy. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

extern int enzyme_dup, enzyme_const;
double __enzyme_autodiff(void *, ...);

double cross_entropy(const double *table, const double *proj, const unsigned short *tokens, size_t count, int dim, int classes, int label)
{
    double *bag = calloc(dim, sizeof *bag), *logit = malloc(classes * sizeof *logit);
    for (size_t t = 0; t < count; t++) {
        const double *row = &table[tokens[t] * dim];
        for (int d = 0; d < dim; d++)
            bag[d] += row[d] / count;
    }
    double max = -1e300, z = 0;
    for (int c = 0; c < classes; c++) {
        logit[c] = 0;
        for (int d = 0; d < dim; d++)
            logit[c] += proj[c * dim + d] * bag[d];
        if (logit[c] > max)
            max = logit[c];
    }
    for (int c = 0; c < classes; c++)
        z += exp(logit[c] - max);
    double result = log(z) + max - logit[label];
    free(logit);
    free(bag);
    return result;
}

int main(void)
{
    enum { VOCAB = 6, DIM = 4, CLASSES = 3 };
    double table[VOCAB * DIM], dtable[VOCAB * DIM] = {0}, proj[CLASSES * DIM], dproj[CLASSES * DIM] = {0};
    const unsigned short tokens[7] = {1, 3, 1, 5, 1, 0, 3};
    for (int i = 0; i < VOCAB * DIM; i++)
        table[i] = cos(3.0 * i);
    for (int i = 0; i < CLASSES * DIM; i++)
        proj[i] = sin(2.0 * i);
    __enzyme_autodiff((void *)cross_entropy, enzyme_dup, table, dtable, enzyme_dup, proj, dproj, enzyme_const, tokens,
                      enzyme_const, (size_t)7, enzyme_const, DIM, enzyme_const, CLASSES, enzyme_const, 2);
    for (int i = 0; i < VOCAB * DIM; i++) {
        double k = table[i];
        table[i] = k + 1e-6;
        double a = cross_entropy(table, proj, tokens, 7, DIM, CLASSES, 2);
        table[i] = k - 1e-6;
        double b = cross_entropy(table, proj, tokens, 7, DIM, CLASSES, 2);
        table[i] = k;
        if (!(fabs(dtable[i] - (a - b) / 2e-6) < 1e-8)) {
            printf("table[%d]: %g vs %g\n", i, dtable[i], (a - b) / 2e-6);
            return 1;
        }
    }
    if (dtable[2 * DIM] != 0 || dtable[4 * DIM] != 0) {
        puts("unused rows have a gradient");
        return 1;
    }
    return 0;
}
