/* What is inactive costs nothing and breaks nothing: tables, indices, printing, shadows that are missing. */
#include "check.h"

int enzyme_const, enzyme_dup, enzyme_runtime_activity;

/* Index arrays and tables on the heap; printing of an active value. */
static double indirect(double *x, int n)
{
    int *order = malloc(n * sizeof *order);
    double *weight = malloc(n * sizeof *weight), s = 0;
    char text[64];
    for (int i = 0; i < n; i++) {
        order[i] = (i * 3 + 1) % n;
        weight[i] = 1.0 / (1 + i);
    }
    for (int i = 0; i < n; i++) {
        s += weight[i] * x[order[i]] * x[i];
        snprintf(text, sizeof text, "%g", s);
    }
    if (strlen(text) > 60)
        printf("%s %g\n", text, s);
    free(order);
    free(weight);
    return s;
}
GRADIENT(indirect)

/* One pointer, active in some iterations. */
static double mixed(double *x, int n)
{
    double ones[8] = {1, 1, 1, 1, 1, 1, 1, 1}, act[8], s = 0;
    const double *cur = ones;
    for (int layer = 0; layer < 3; layer++) {
        for (int i = 0; i < n; i++)
            act[i] = (layer ? act[i] : 0.5) * cur[i] * x[i];
        s += act[layer % n];
        cur = layer % 2 ? ones : x;
    }
    return s;
}
GRADIENT(mixed)

/* A struct with an inactive member array behind a NULL shadow. */
struct model {
    const double *data;
    double *weights;
    int n;
};

static double loss(const struct model *m)
{
    double s = 0;
    for (int i = 0; i < m->n; i++) {
        double r = m->weights[i] * m->data[i] - 1;
        s += r * r;
    }
    return s;
}

static int null_shadow(void)
{
    double data[3] = {1, 2, 3}, weights[3] = {0.5, 0.25, 2}, bar[3] = {0};
    struct model m = {data, weights, 3}, m_bar = {NULL, bar, 0};
    __enzyme_autodiff((void *)loss, enzyme_dup, &m, &m_bar);
    for (int i = 0; i < 3; i++)
        if (fabs(bar[i] - 2 * (weights[i] * data[i] - 1) * data[i]) > 1e-12)
            return 1;
    return 0;
}

/* The same with run-time activity: the shadow is the primal itself. */
static int same_shadow(void)
{
    double data[3] = {1, 2, 3}, weights[3] = {0.5, 0.25, 2}, bar[3] = {0};
    struct model m = {data, weights, 3}, m_bar = {data, bar, 0};
    __enzyme_autodiff((void *)loss, enzyme_runtime_activity, enzyme_dup, &m, &m_bar);
    for (int i = 0; i < 3; i++)
        if (fabs(bar[i] - 2 * (weights[i] * data[i] - 1) * data[i]) > 1e-12 || data[i] != i + 1)
            return 1;
    return 0;
}

static double dot(const double *a, const double *b, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s += a[i] * b[i];
    return s;
}

static int same_argument(void)
{
    double a[3] = {1, 2, 3}, b[3] = {4, 5, 6}, bar[3] = {0};
    __enzyme_autodiff((void *)dot, enzyme_runtime_activity, enzyme_dup, a, bar, enzyme_dup, b, b, enzyme_const, 3);
    return bar[0] != 4 || bar[1] != 5 || bar[2] != 6 || b[0] != 4 || b[2] != 6;
}

int main(void)
{
    int bad = CHECK(indirect, 5) | CHECK(mixed, 4);
    if (null_shadow() | same_shadow() | same_argument()) {
        printf("missing shadows\n");
        bad = 1;
    }
    return bad;
}
