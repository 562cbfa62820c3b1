// What attributes and pragmas say holds for the whole program, in whatever file they stand; a pointer to a function may come from another file.
#include "said.h"
#include <math.h>
#include <stdio.h>

double __enzyme_autodiff(void *, ...);

INACTIVE double noise(double x) { return 0.1 * x; }
#pragma adjoin inactive(jitter)
static double jitter(double x) { return 0.5 * x; }
static double square(double v) { return v * v; }
static double apply(const struct model *m, double x) { return m->act(x) * m->k + noise(x) * x; }
double jittered(double x) { return jitter(x) * x; }

static int wrong(double got, double want)
{
    if (fabs(got - want) < 1e-12)
        return 0;
    printf("%.15g, not %.15g\n", got, want);
    return 1;
}

int main(void)
{
    struct model models[2] = {model_of_other_file(3.0), {2.0, square}};
    int bad = 0;
    for (int i = 0; i < 2; i++) {
        struct model shadow = {0.0, models[i].act};
        double slope = i ? 4.0 * 2.0 : 3.0 * cos(2.0);
        bad |= wrong(__enzyme_autodiff((void *)apply, &models[i], &shadow, 2.0), slope + 0.2);
        bad |= wrong(shadow.k, models[i].act(2.0));
    }
    bad |= wrong(__enzyme_autodiff((void *)with_noise, 2.0), 4.0 + 0.2);
    bad |= wrong(__enzyme_autodiff((void *)with_gain, 2.0), 3.0);
    bad |= wrong(__enzyme_autodiff((void *)with_table, 2.0), 1.0 / 3.0 + 1.0);
    bad |= wrong(__enzyme_autodiff((void *)jittered, 2.0), 1.0);
    return bad;
}
