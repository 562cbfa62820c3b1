// A long short-term memory cell, run over a sequence.
#include "kernel.h"

enum { IN = 48, HIDDEN = 64, STEPS = 40 };

struct cell {
    double w[4][HIDDEN][IN];
    double u[4][HIDDEN][HIDDEN];
    double b[4][HIDDEN];
};

static struct cell cell;
static double input[STEPS][IN], hidden[HIDDEN], state[HIDDEN];

static double sigmoid(double x)
{
    return 1.0 / (1.0 + exp(-x));
}

static void step(const struct cell *c, const double *x, double *h, double *s)
{
    double gate[4][HIDDEN];
    for (int g = 0; g < 4; g++)
        for (int i = 0; i < HIDDEN; i++) {
            double sum = c->b[g][i];
            for (int j = 0; j < IN; j++)
                sum += c->w[g][i][j] * x[j];
            for (int j = 0; j < HIDDEN; j++)
                sum += c->u[g][i][j] * h[j];
            gate[g][i] = sum;
        }
    for (int i = 0; i < HIDDEN; i++) {
        double in = sigmoid(gate[0][i]), forget = sigmoid(gate[1][i]), out = sigmoid(gate[2][i]);
        s[i] = forget * s[i] + in * tanh(gate[3][i]);
        h[i] = out * tanh(s[i]);
    }
}

static void kernel(const struct cell *c, double (*x)[IN], double *h, double *s, int steps)
{
    for (int i = 0; i < HIDDEN; i++)
        h[i] = s[i] = 0.0;
    for (int t = 0; t < steps; t++)
        step(c, x[t], h, s);
}

int main(void)
{
    double seconds, sum = 0.0;
    for (int g = 0; g < 4; g++)
        for (int i = 0; i < HIDDEN; i++) {
            cell.b[g][i] = kernel_random() - 0.5;
            for (int j = 0; j < IN; j++)
                cell.w[g][i][j] = 0.2 * (kernel_random() - 0.5);
            for (int j = 0; j < HIDDEN; j++)
                cell.u[g][i][j] = 0.2 * (kernel_random() - 0.5);
        }
    for (int t = 0; t < STEPS; t++)
        for (int j = 0; j < IN; j++)
            input[t][j] = kernel_random();
    KERNEL_TIME(seconds, 60, kernel(&cell, input, hidden, state, STEPS));
    for (int i = 0; i < HIDDEN; i++)
        sum += hidden[i];
    kernel_report(sum, seconds);
    return 0;
}
