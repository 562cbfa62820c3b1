// size: 500, ADBench
// Hand tracking again: the Jacobian of all residuals, in forward mode, one column of the 26 at a time.
#include "hand_model.h"

static double *weights, *column;

static void setup(int size)
{
    setup_hand(size);
    weights = data(3 * (size_t)size, -1, 1);
    column = data(3 * (size_t)size, 0, 0);
}
static double objective(void)
{
    double sum = 0.0;
    residuals(theta.x, &model, n, errors);
    for (int i = 0; i < 3 * n; i++)
        sum += weights[i] * errors[i];
    return sum;
}
void __enzyme_fwddiff(void *, ...);
static void gradient(void)
{
    for (int k = 0; k < PARAMETERS; k++) {
        double direction[PARAMETERS] = {0};
        direction[k] = 1.0;
        __enzyme_fwddiff((void *)residuals, enzyme_dup, theta.x, direction, enzyme_const, &model, enzyme_const, n, enzyme_dup, errors, column);
        for (int i = 0; i < 3 * n; i++)
            theta.bar[k] += weights[i] * column[i];
    }
}
