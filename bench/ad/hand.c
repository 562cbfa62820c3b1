// size: 500, ADBench
// Hand tracking: the squared distance of `size` points to the hand, in reverse mode.
#include "hand_model.h"

static double distance(const double *theta, const struct hand *hand, int n, double *error)
{
    double sum = 0.0;
    residuals(theta, hand, n, error);
    for (int i = 0; i < 3 * n; i++)
        sum += error[i] * error[i];
    return sum;
}

static double *errors_bar;

static void setup(int size)
{
    setup_hand(size);
    errors_bar = calloc(3 * (size_t)n, sizeof *errors_bar);
}
static double objective(void)
{
    return distance(theta.x, &model, n, errors);
}
void __enzyme_autodiff(void *, ...);
static void gradient(void)
{
    __enzyme_autodiff((void *)distance, enzyme_dup, theta.x, theta.bar, enzyme_const, &model, enzyme_const, n, enzyme_dup, errors, errors_bar);
}
