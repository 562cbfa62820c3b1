/* A pointer to the first row of a matrix goes through all of it, and one to the first member of a record through the others: as pointers that is what programs do, while compilers believe that `m[0][i]` stays in
 * its row, and (&q.w)[i] in its member. So the derivative must say it as the program does. */
#include <math.h>
#include <stdio.h>

extern int enzyme_const;
extern int enzyme_dup;
void __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

typedef struct {
    double w, x, y, z;
} quaternion;

typedef struct {
    double m[3][3];
    quaternion q;
} body;

static double table[4][4];

static double squares(const double *p, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s += p[i] * p[i];
    return s;
}

static void normalise(quaternion *q, int n)
{
    double *v = &q->w;
    double length = sqrt(q->w * q->w + q->x * q->x + q->y * q->y + q->z * q->z);
    for (int k = 0; k < n; k++)
        v[k] = v[k] / length + 0.25 * q->y;
}

static double energy(const double *in, int rows, int n)
{
    double m[3][3], s = 0;
    body b[2];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            m[i][j] = in[3 * i + j] * in[0];
            b[0].m[i][j] = b[1].m[j][i] = in[3 * i + j];
        }
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < 4; j++)
            table[i][j] = in[(4 * i + j) % 9] * in[1];
    for (int k = 0; k < 2; k++) {
        quaternion start = {in[k], in[k + 1], in[k + 2], in[k + 3]};
        b[k].q = start;
        for (int round = 0; round < 3; round++) {
            normalise(&b[k].q, n);
            b[k].q.x *= 1.0 + 0.1 * b[k].q.w;
        }
        s += squares(b[k].m[0], 9) * (k + 1) + squares(&b[k].q.w, n);
    }
    return s + squares(m[0], rows * rows - 7) + squares(table[1], 4 * rows - 4) + squares(*m, 9);
}

int main(void)
{
    double x[9], bar[9] = {0};
    int rows = 4, n = 4;
    for (int i = 0; i < 9; i++)
        x[i] = 0.5 + 0.1 * i;
    __enzyme_autodiff((void *)energy, enzyme_dup, x, bar, rows, n);
    for (int i = 0; i < 9; i++) {
        double h = 1e-5, y[9], dot[9] = {0};
        for (int j = 0; j < 9; j++)
            y[j] = x[j];
        y[i] = x[i] + h;
        double above = energy(y, rows, n);
        y[i] = x[i] - h;
        double difference = (above - energy(y, rows, n)) / (2 * h);
        dot[i] = 1;
        double forward = __enzyme_fwddiff((void *)energy, enzyme_dup, x, dot, enzyme_const, rows, enzyme_const, n);
        if (!(fabs(bar[i] - difference) < 1e-6 * (1 + fabs(difference))) || !(fabs(bar[i] - forward) < 1e-11 * (1 + fabs(forward)))) {
            printf("%d: reverse %.12g, forward %.12g, difference %.12g\n", i, bar[i], forward, difference);
            return 1;
        }
    }
    return 0;
}
