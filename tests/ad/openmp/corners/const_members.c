// Increments of shadows behind members that are pointers to const: both sides of an atomic update must name the place alike.
#include <math.h>
#include <stdio.h>

struct model {
    const double *x;
    const int *index;
    int n;
};

static double chosen(const struct model *models, int count)
{
    double sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int j = 0; j < count; j++)
        for (int i = 0; i < models[j].n; i++) {
            double v = models[j].x[models[j].index[i]];
            sum += v * v * (i + 1);
        }
    return sum;
}

int enzyme_dup;
void __enzyme_autodiff(void *, ...);

int main(void)
{
    double x[4] = {1, -2, 3, 0.5}, x_bar[4] = {0};
    int index[6] = {0, 1, 1, 2, 3, 0};
    struct model models[2] = {{x, index, 6}, {x, index, 3}};
    struct model shadows[2] = {{x_bar, index, 6}, {x_bar, index, 3}};
    __enzyme_autodiff((void *)chosen, enzyme_dup, models, shadows, 2);
    double wanted[4] = {0};
    for (int j = 0; j < 2; j++)
        for (int i = 0; i < models[j].n; i++)
            wanted[index[i]] += 2 * x[index[i]] * (i + 1);
    for (int k = 0; k < 4; k++)
        if (fabs(x_bar[k] - wanted[k]) > 1e-12) {
            printf("%d: %g, not %g\n", k, x_bar[k], wanted[k]);
            return 1;
        }
    return 0;
}
