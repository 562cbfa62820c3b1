/* Matrices as pointer and sizes by value, two arguments with shadows, a caller that passes structs holding pointers. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct matrix { int rows, cols; double *data; };
void __enzyme_autodiff(void *, ...);

static void matvec(const struct matrix *m, const double *v, double *out)
{
    for (int r = 0; r < m->rows; r++) {
        out[r] = 0;
        for (int c = 0; c < m->cols; c++)
            out[r] += m->data[r * m->cols + c] * v[c];
    }
}

static double squared_norm(const struct matrix *m, const double *v)
{
    double *out = malloc(m->rows * sizeof(double)), s = 0;
    matvec(m, v, out);
    for (int r = 0; r < m->rows; r++)
        s += out[r] * out[r];
    free(out);
    return s;
}

int main(void)
{
    double a[6] = {2, 3, 5, 7, 11, 13}, da[6] = {0}, v[3] = {1, 10, 100}, dv[3] = {0};
    struct matrix m = {2, 3, a}, dm = {2, 3, da};
    __enzyme_autodiff((void *)squared_norm, &m, &dm, v, dv);
    double y[2] = {2 + 30 + 500, 7 + 110 + 1300};
    for (int r = 0; r < 2; r++)
        for (int c = 0; c < 3; c++)
            if (!(fabs(da[r * 3 + c] - 2 * y[r] * v[c]) < 1e-9)) {
                printf("a[%d][%d]: %g\n", r, c, da[r * 3 + c]);
                return 1;
            }
    for (int c = 0; c < 3; c++)
        if (!(fabs(dv[c] - 2 * (y[0] * a[c] + y[1] * a[3 + c])) < 1e-9)) {
            printf("v[%d]: %g\n", c, dv[c]);
            return 1;
        }
    return 0;
}
