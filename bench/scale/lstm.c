// A small recurrent network with gates, run over a sequence: its gradient keeps all states on the way.
#include <math.h>

enum { IN = 4, HIDDEN = 8, STEPS = 12, ROW = IN + HIDDEN + 1 };

static double sigmoid(double x)
{
    return 1.0 / (1.0 + exp(-x));
}

double lstm(const double weights[4 * HIDDEN * ROW], const double inputs[STEPS * IN])
{
    double hidden[HIDDEN], state[HIDDEN], gate[4][HIDDEN], loss = 0.0;
    for (int i = 0; i < HIDDEN; i++)
        hidden[i] = state[i] = 0.0;
    for (int t = 0; t < STEPS; t++) {
        const double *x = &inputs[t * IN];
        for (int g = 0; g < 4; g++)
            for (int i = 0; i < HIDDEN; i++) {
                const double *row = &weights[(g * HIDDEN + i) * ROW];
                double sum = row[IN + HIDDEN];
                for (int j = 0; j < IN; j++)
                    sum += row[j] * x[j];
                for (int j = 0; j < HIDDEN; j++)
                    sum += row[IN + j] * hidden[j];
                gate[g][i] = sum;
            }
        for (int i = 0; i < HIDDEN; i++) {
            state[i] = sigmoid(gate[1][i]) * state[i] + sigmoid(gate[0][i]) * tanh(gate[3][i]);
            hidden[i] = sigmoid(gate[2][i]) * tanh(state[i]);
            loss += (hidden[i] - x[i % IN]) * (hidden[i] - x[i % IN]);
        }
    }
    return loss;
}
