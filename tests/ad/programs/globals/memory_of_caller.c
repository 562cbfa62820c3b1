/* Globals that lead to memory of a caller's stack. */
#include "check.h"

struct model {
    int n;
    double w[8];
    double act[8];
    double *hidden;
};
static struct model *M;
static double *scratch;
double f(const double *x, int n)
{
    for (int i = 0; i < 8; i++)
        M->act[i] = tanh(M->w[i] * x[i % n]);
    for (int i = 0; i < 8; i++)
        M->hidden[i] = M->act[i] * M->act[(i + 1) % 8];
    double s = 0;
    for (int i = 0; i < 8; i++)
        scratch[i] = M->hidden[i] * x[0];
    for (int i = 0; i < 8; i++)
        s += scratch[i] * (i + 1);
    return s;
}
/* A block that only main allocates. */
static double *block;

double in_block(const double *x, int n)
{
    for (int i = 0; i < n; i++)
        block[i] = x[i] * x[i];
    double s = 0;
    for (int i = 0; i < n; i++)
        s += block[i] * block[n - 1 - i];
    return s;
}

int main(void)
{
    struct model m = {8, {1, 2, 3, 4, 5, 6, 7, 8}, {0}, 0};
    double h[8], sc[8];
    m.hidden = h;
    M = &m;
    scratch = sc;
    CHECK(f, 3);
    CHECK(f, 6);
    block = malloc(8 * sizeof *block);
    CHECK(in_block, 5);
    free(block);
    return failures != 0;
}
