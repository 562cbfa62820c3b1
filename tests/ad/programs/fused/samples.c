/* Losses that are sums over samples: each iteration can be undone at once. */
#include "check.h"

enum { D = 4, H = 5 };

/* Scratch that is declared outside: a layer, its activations, updates of a triangle. */
static double layer(const double *x, int n)
{
    double hidden[H], centered[D], loss = 0.0;
    for (int p = 0; p + D <= n; p += D) {
        for (int i = 0; i < D; i++)
            centered[i] = x[p + i] - 0.5;
        for (int j = 0; j < H; j++) {
            hidden[j] = 0.1 * j;
            for (int i = 0; i < D; i++)
                hidden[j] += sin(i + j) * centered[i];
            hidden[j] = tanh(hidden[j]);
        }
        for (int j = 0; j < H; j++)
            for (int i = j + 1; i < H; i++)
                hidden[i] += 0.3 * hidden[j] * hidden[j];
        for (int j = 0; j < H; j++)
            loss += hidden[j] * hidden[j] * exp(hidden[H - 1 - j]);
    }
    return loss;
}
GRADIENT(layer)

static double log_sum_exp(int n, const double *x)
{
    double most = x[0], sum = 0.0;
    for (int i = 1; i < n; i++)
        if (x[i] > most)
            most = x[i];
    for (int i = 0; i < n; i++)
        sum += exp(x[i] - most);
    return log(sum) + most;
}

/* Scratch from the heap; two sums. */
static double mixture(const double *x, int n)
{
    double *terms = malloc(D * sizeof *terms), *square = malloc(D * sizeof *square), total = 0.0, size = 1.0;
    for (int p = 0; p < n; p++) {
        for (int j = 0; j < D; j++) {
            for (int i = 0; i < D; i++)
                square[i] = (x[p] - 0.2 * i) * (x[p] + 0.1 * j);
            double sum = 0.0;
            for (int i = 0; i < D; i++)
                sum += square[i] * square[i];
            terms[j] = x[j] - 0.5 * sum;
        }
        total += log_sum_exp(D, terms);
        if (x[p] > 0.4)
            size -= cos(x[p]) * x[p];
    }
    free(square);
    free(terms);
    return total - 0.5 * size;
}
GRADIENT(mixture)

/* Scratch of the body, branches, a loop whose trips are not known, an activation that is cut off in place. */
static double branches(const double *x, int n)
{
    double loss = 0.0, penalty = 0.0;
    for (int p = 0; p + 1 < n; p++) {
        double h[H] = {0}, root = 1.0 + x[p] * x[p];
        for (int k = 0; k < H; k++)
            h[k] = x[p] * (k - 2) + x[p + 1];
        for (int k = 0; k < H; k++)
            if (h[k] < 0)
                h[k] = 0.1 * h[k];
        while (fabs(root * root - 1.5 - x[p]) > 1e-14 && root < 10)
            root -= (root * root - 1.5 - x[p]) / (2 * root);
        for (int k = 0; k < H; k++) {
            if (k % 2)
                loss += h[k] * root;
            else
                loss -= h[k] * h[k] * x[p];
            penalty += root * 0.1;
        }
    }
    return loss + 3 * penalty;
}
GRADIENT(branches)

/* A pointer that walks along, a result through a pointer, a mean. */
static void mean_to(const double *x, int n, double *mean, int *count)
{
    double sum = 0.0, work[D];
    const double *at = x;
    int used = 0;
    for (int p = 0; p < n / D; p++) {
        for (int i = 0; i < D; i++)
            work[i] = exp(0.3 * at[i]);
        for (int i = 1; i < D; i++)
            sum += work[i] * work[i - 1] * work[i - 1];
        at += D;
        used++;
    }
    *count = used;
    *mean = sum / (used + 1) + x[0];
}
static double mean(const double *x, int n)
{
    double m[1] = {-100};
    int count = 0;
    if (n > 0)
        mean_to(x, n, m, &count);
    return m[0] + count;
}
static void mean_gradient(const double *x, double *g, int n)
{
    double m = 7.0, m_bar = 1.0;
    int count = -1;
    if (n == 0)
        return;
    __enzyme_autodiff((void *)mean_to, enzyme_dup, x, g, enzyme_const, n, enzyme_dup, &m, &m_bar, enzyme_const, &count);
    if (m + count != mean(x, n) || m_bar != 0.0)
        g[0] = NAN;
}

/* The value is the primal's, to the bit if sums keep their order, and comes back with the gradient. */
static int value(void)
{
    double x[MOST], g[MOST] = {0};
    for (int i = 0; i < MOST; i++)
        x[i] = sin(i + 0.5);
    double v = __enzyme_autodiff((void *)layer, enzyme_primal_return, enzyme_dup, x, g, enzyme_const, MOST);
    double should = layer(x, MOST);
#ifdef __FAST_MATH__
    int wrong = !(fabs(v - should) <= 1e-12 * fabs(v));
#else
    int wrong = v != should;
#endif
    if (wrong)
        printf("the value is %g, not %g\n", v, should);
    return wrong;
}

int main(void)
{
    return CHECK(layer) || check("mixture", 24, mixture, mixture_gradient) || CHECK(branches) || CHECK(mean) || value();
}
