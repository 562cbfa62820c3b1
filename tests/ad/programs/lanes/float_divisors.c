// Divisions by constants in loops over `float`: their reciprocals are numbers of that type.
#include <math.h>
#include <stdio.h>

int enzyme_dup, enzyme_const;
void __enzyme_autodiff(void *, ...);

static float energy(const float *x, int n)
{
    float sum = 0;
    for (int i = 0; i < n; i++) {
        float c = 1 - x[i] / 5;
        if (x[i] < 5)
            sum += c * x[i] / 3.3f;
    }
    return sum;
}

int main(void)
{
    float x[6] = {0.5f, 1, 2, 3.25f, 4, 7}, x_bar[6] = {0};
    __enzyme_autodiff((void *)energy, enzyme_dup, x, x_bar, enzyme_const, 6);
    for (int i = 0; i < 6; i++) {
        float expected = x[i] < 5 ? (1 - 2 * x[i] / 5) / 3.3f : 0;
        if (!(fabsf(x_bar[i] - expected) < 1e-6f)) {
            printf("%d: %g instead of %g\n", i, x_bar[i], expected);
            return 1;
        }
    }
    puts("ok");
    return 0;
}
