/* a two-layer network: loss over a batch in parallel, its gradient checked, then a few steps of descent that must help */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define IN 4
#define HIDDEN 6
#define OUT 2
#define BATCH 20
typedef struct { double w1[HIDDEN][IN], b1[HIDDEN], w2[OUT][HIDDEN], b2[OUT]; } network;
void __enzyme_autodiff(void *, ...);
int enzyme_dup, enzyme_const, enzyme_dupnoneed;
static void loss(const network *net, const double (*in)[IN], const int *label, double *out)
{
    double total = 0;
    #pragma omp parallel for reduction(+:total) schedule(static, 4)
    for (int s = 0; s < BATCH; s++) {
        double h[HIDDEN], z[OUT], top = -1e300, sum = 0;
        for (int j = 0; j < HIDDEN; j++) {
            double a = net->b1[j];
            for (int i = 0; i < IN; i++) a += net->w1[j][i] * in[s][i];
            h[j] = a > 0 ? a : 0.01 * a;
        }
        for (int k = 0; k < OUT; k++) {
            z[k] = net->b2[k];
            for (int j = 0; j < HIDDEN; j++) z[k] += net->w2[k][j] * h[j];
            if (z[k] > top) top = z[k];
        }
        for (int k = 0; k < OUT; k++) sum += exp(z[k] - top);
        total += log(sum) + top - z[label[s]];
    }
    *out = total / BATCH;
}
int main(void)
{
    network net, grad;
    double in[BATCH][IN], value, seed = 1, first = 0;
    int label[BATCH], bad = 0, count = sizeof net / sizeof(double);
    for (int k = 0; k < count; k++) ((double *)&net)[k] = 0.5 * sin(1.3 * k);
    for (int s = 0; s < BATCH; s++) {
        for (int i = 0; i < IN; i++) in[s][i] = cos(s * 0.7 + i);
        label[s] = in[s][0] * in[s][1] > 0;
    }
    memset(&grad, 0, sizeof grad);
    __enzyme_autodiff((void *)loss, enzyme_dup, &net, &grad, enzyme_const, in, enzyme_const, label, enzyme_dup, &value, &seed);
    for (int k = 0; k < count; k += 3) {
        double *p = (double *)&net + k, keep = *p, up, low, h = 1e-6;
        *p = keep + h; loss(&net, (const double (*)[IN])in, label, &up);
        *p = keep - h; loss(&net, (const double (*)[IN])in, label, &low);
        *p = keep;
        if (fabs((up - low) / (2 * h) - ((double *)&grad)[k]) > 1e-7) { printf("weight %d: %g, not %g\n", k, ((double *)&grad)[k], (up - low) / (2 * h)); bad = 1; }
    }
    for (int step = 0; step < 40; step++) {
        memset(&grad, 0, sizeof grad);
        seed = 1;
        __enzyme_autodiff((void *)loss, enzyme_dup, &net, &grad, enzyme_const, in, enzyme_const, label, enzyme_dup, &value, &seed);
        if (step == 0) first = value;
        for (int k = 0; k < count; k++) ((double *)&net)[k] -= 0.3 * ((double *)&grad)[k];
    }
    if (!(value < 0.8 * first)) { printf("training went from %g to %g\n", first, value); bad = 1; }
    return bad;
}
