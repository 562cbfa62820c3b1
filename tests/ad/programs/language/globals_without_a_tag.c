/* Active objects at file scope whose struct has no name: their shadows have the same type. */
#include <math.h>
#include <stdio.h>
#include <string.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
int enzyme_dup;

static struct {
    double state[3];
    struct {
        double *reference;
        int stride;
    } inputs[2];
} shared;

static struct {
    double value, weight;
} table[4];

static double objective(double *x)
{
    double squares[6], s = 0;
    for (int i = 0; i < 6; i++)
        squares[i] = x[i] * x[i];
    memset(&shared, 0, sizeof shared);
    shared.inputs[0].reference = squares;
    shared.inputs[1].reference = x;
    shared.inputs[0].stride = 2;
    shared.inputs[1].stride = 1;
    for (int r = 0; r < 2; r++)
        for (int i = 0; i < 6; i += shared.inputs[r].stride) {
            shared.state[i % 3] = shared.inputs[r].reference[i] * shared.inputs[1 - r].reference[5 - i];
            s += shared.state[i % 3] * shared.state[(i + 1) % 3];
        }
    for (int i = 0; i < 4; i++) {
        table[i].value = x[i] * s;
        table[i].weight = x[5 - i];
    }
    table[0] = table[3];
    for (int i = 0; i < 4; i++)
        s += table[i].value * table[(i + 1) % 4].weight;
    return s;
}

int main(void)
{
    double x[6] = {0.7, 1.1, -0.4, 0.9, 0.5, -0.8}, gradient[6] = {0};
    int failures = 0;
    __enzyme_autodiff((void *)objective, enzyme_dup, x, gradient);
    for (int i = 0; i < 6; i++) {
        double direction[6] = {0}, at = x[i], h = 1e-5;
        direction[i] = 1;
        double tangent = __enzyme_fwddiff((void *)objective, enzyme_dup, x, direction);
        x[i] = at + h;
        double above = objective(x);
        x[i] = at - h;
        double below = objective(x), difference = (above - below) / (2 * h);
        x[i] = at;
        if (!(fabs(gradient[i] - difference) <= 1e-6 * (1 + fabs(difference))) || !(fabs(gradient[i] - tangent) <= 1e-11 * (1 + fabs(tangent)))) {
            printf("x[%d]: reverse %.12g, forward %.12g, differences %.12g\n", i, gradient[i], tangent, difference);
            failures++;
        }
    }
    return failures != 0;
}
