/* Tables of pointers to variables, exchanged and put back. */
#include "check.h"

static double rho[16], mom[16], ene[16];
static double *field[3] = {rho, mom, ene};
static struct var {
    const char *name;
    double *data;
    double scale;
} vars[] = {{"rho", rho, 1}, {"mom", mom, 2}, {"ene", ene, .5}};
static double *const out = ene;
static double (*active_row)[4];
static double mat[4][4];
double f(const double *x, int n)
{
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < n; i++)
            field[k][i] = x[i] * (k + 1) + i;
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < n; i++)
            vars[k].data[i] *= vars[k].scale * x[i];
    double *t = field[0];
    field[0] = field[1];
    field[1] = t;
    active_row = &mat[1];
    for (int j = 0; j < 4; j++)
        (*active_row)[j] = out[j % n] * x[0];
    double s = 0;
    for (int i = 0; i < n; i++)
        s += rho[i] * mom[i] + sin(ene[i]);
    for (int j = 0; j < 4; j++)
        s += mat[1][j];
    t = field[0];
    field[0] = field[1];
    field[1] = t;
    return s;
}
int main(void)
{
    CHECK(f, 3);
    CHECK(f, 7);
    return failures != 0;
}
