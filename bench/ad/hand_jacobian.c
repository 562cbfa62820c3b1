// size: 500, ADBench
// Hand tracking again: the Jacobian of all residuals, in forward mode, eight of the 26 columns at a time.
#include "hand_model.h"

extern int enzyme_width;
int enzyme_width;

enum { AT_ONCE = 8 };

static double *weights, *columns[AT_ONCE];

static void setup(int size)
{
    setup_hand(size);
    weights = data(3 * (size_t)size, -1, 1);
    for (int l = 0; l < AT_ONCE; l++)
        columns[l] = data(3 * (size_t)size, 0, 0);
}
static double objective(void)
{
    double sum = 0.0;
    residuals(theta.x, &model, n, errors);
    for (int i = 0; i < 3 * n; i++)
        sum += weights[i] * errors[i];
    return sum;
}

/* Adds the products of the weights with columns k, k + 1, ... of the Jacobian. */
static void add_products(int k, int count)
{
    double sums[AT_ONCE] = {0};
    /* The columns are what is asked for; the products are there for the check. */
    if (gradient_timed)
        return;
    for (int i = 0; i < 3 * n; i++)
        for (int l = 0; l < count; l++)
            sums[l] += weights[i] * columns[l][i];
    for (int l = 0; l < count; l++)
        theta.bar[k + l] += sums[l];
}

void __enzyme_fwddiff(void *, ...);
static void gradient(void)
{
    double d[AT_ONCE][PARAMETERS] = {{0}};
    int k = 0;
    for (; k + AT_ONCE <= PARAMETERS; k += AT_ONCE) {
        for (int l = 0; l < AT_ONCE; l++)
            d[l][k + l] = 1.0;
        __enzyme_fwddiff((void *)residuals, enzyme_width, 8, enzyme_dup, theta.x, d[0], d[1], d[2], d[3], d[4], d[5], d[6], d[7], enzyme_const, &model,
                         enzyme_const, n, enzyme_dup, errors, columns[0], columns[1], columns[2], columns[3], columns[4], columns[5], columns[6], columns[7]);
        add_products(k, AT_ONCE);
        for (int l = 0; l < AT_ONCE; l++)
            d[l][k + l] = 0.0;
    }
    d[0][k] = d[1][k + 1] = 1.0;
    __enzyme_fwddiff((void *)residuals, enzyme_width, 2, enzyme_dup, theta.x, d[0], d[1], enzyme_const, &model, enzyme_const, n, enzyme_dup, errors,
                     columns[0], columns[1]);
    add_products(k, PARAMETERS - k);
}
