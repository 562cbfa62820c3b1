/* A neural ODE: the right-hand side is a small network, trained through the integrator by gradient descent. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HIDDEN 5
#define PARAMS (HIDDEN * 2 + HIDDEN + 2 * HIDDEN + 2)
typedef struct { double w1[HIDDEN][2], b1[HIDDEN], w2[2][HIDDEN], b2[2]; } network;
int enzyme_dup, enzyme_const;
double __enzyme_autodiff(void *, ...);

static void rhs(const network *net, const double *y, double *out)
{
    double h[HIDDEN];
    for (int i = 0; i < HIDDEN; i++)
        h[i] = tanh(net->w1[i][0] * y[0] + net->w1[i][1] * y[1] + net->b1[i]);
    for (int o = 0; o < 2; o++) {
        out[o] = net->b2[o];
        for (int i = 0; i < HIDDEN; i++)
            out[o] += net->w2[o][i] * h[i];
    }
}

static double loss(const network *net, const double (*data)[2], int count)
{
    double y[2] = {data[0][0], data[0][1]}, total = 0;
    for (int i = 1; i < count; i++) {
        for (int s = 0; s < 4; s++) {
            double k1[2], k2[2], mid[2];
            rhs(net, y, k1);
            mid[0] = y[0] + 0.025 * k1[0];
            mid[1] = y[1] + 0.025 * k1[1];
            rhs(net, mid, k2);
            y[0] += 0.05 * k2[0];
            y[1] += 0.05 * k2[1];
        }
        total += (y[0] - data[i][0]) * (y[0] - data[i][0]) + (y[1] - data[i][1]) * (y[1] - data[i][1]);
    }
    return total / count;
}

int main(void)
{
    double data[12][2];
    network net, grad;
    double *p = (double *)&net, *g = (double *)&grad;
    for (int i = 0; i < 12; i++) {
        data[i][0] = cos(0.2 * i);
        data[i][1] = -sin(0.2 * i);
    }
    for (int i = 0; i < PARAMS; i++)
        p[i] = 0.4 * sin(9.0 * i + 1);
    double first = loss(&net, data, 12), v[PARAMS] = {0};
    for (int it = 0; it < 1500; it++) {
        memset(&grad, 0, sizeof grad);
        __enzyme_autodiff((void *)loss, enzyme_dup, &net, &grad, enzyme_const, data, enzyme_const, 12);
        if (it == 700)
            for (int i = 0; i < PARAMS; i += 5) {
                double k = p[i];
                p[i] = k + 1e-6;
                double a = loss(&net, data, 12);
                p[i] = k - 1e-6;
                double b = loss(&net, data, 12);
                p[i] = k;
                if (!(fabs(g[i] - (a - b) / 2e-6) < 1e-7)) {
                    printf("parameter %d: %g vs %g\n", i, g[i], (a - b) / 2e-6);
                    return 1;
                }
            }
        for (int i = 0; i < PARAMS; i++) {
            v[i] = 0.9 * v[i] - 0.02 * g[i];
            p[i] += v[i];
        }
    }
    if (!(loss(&net, data, 12) < 0.05 * first)) {
        printf("loss %g became %g\n", first, loss(&net, data, 12));
        return 1;
    }
    return 0;
}
