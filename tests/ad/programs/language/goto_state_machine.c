/* A tokenizer-like state machine with goto between labelled states, accumulating weighted values. */
#include <math.h>
#include <stdio.h>

extern int enzyme_const, enzyme_dup;
double __enzyme_autodiff(void *, ...);

double machine(const double *w, const char *input)
{
    double acc = 1.0, run = 0.0;
start:
    if (*input == '\0')
        goto done;
    if (*input == 'a')
        goto state_a;
    if (*input == 'b')
        goto state_b;
    input++;
    goto start;
state_a:
    run = w[0];
    do {
        run *= w[1];
        input++;
    } while (*input == 'a');
    acc += run;
    if (*input == 'b')
        goto state_b;
    goto start;
state_b:
    acc *= 1 + 0.1 * w[2];
    if (acc > 50)
        goto overflow;
    input++;
    if (*input == 'b')
        goto state_b;
    if (*input == 'a')
        goto state_a;
    goto start;
overflow:
    return 50 + log(acc / 50);
done:
    return acc * acc + run;
}

int main(void)
{
    const char *inputs[] = {"", "aab", "xbbaxaaab", "abababaaabbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb", "bbb"};
    for (int k = 0; k < 5; k++) {
        double w[3] = {0.8, 1.3, 0.9}, g[3] = {0};
        __enzyme_autodiff((void *)machine, enzyme_dup, w, g, enzyme_const, inputs[k]);
        for (int i = 0; i < 3; i++) {
            double keep = w[i];
            w[i] = keep + 1e-6;
            double a = machine(w, inputs[k]);
            w[i] = keep - 1e-6;
            double b = machine(w, inputs[k]);
            w[i] = keep;
            if (!(fabs(g[i] - (a - b) / 2e-6) < 1e-6 * (1 + fabs(g[i])))) {
                printf("\"%s\", w[%d]: %g vs %g\n", inputs[k], i, g[i], (a - b) / 2e-6);
                return 1;
            }
        }
    }
    return 0;
}
