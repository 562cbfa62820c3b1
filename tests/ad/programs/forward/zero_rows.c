// Tangents of a table, most of whose rows are zero in most directions: joints of chains that move the parts of their own chain. The sum over the rows skips what is zero, and must
// not skip what is small, not a number, or changed while the loop runs.
#include <math.h>
#include <stdio.h>

extern int enzyme_dup, enzyme_const, enzyme_width;
int enzyme_dup, enzyme_const, enzyme_width;
void __enzyme_fwddiff(void *, ...);

enum { PARTS = 9, ANGLES = 6, POINTS = 40 };

/* Each point is held by all parts; part k turns with angle k, and with those of its chain before it. */
static void places(const double *angles, int parts, const double *weights, int n, double *out)
{
    double turns[PARTS][4] = {{0}};
    for (int k = 0; k < parts; k++) {
        double sum = 0.0;
        for (int j = k / 3 * 3; j <= k && j < ANGLES; j++)
            sum += angles[j] * (1 + 0.1 * j);
        turns[k][0] = cos(sum);
        turns[k][1] = sin(sum);
        turns[k][2] = sum * sum;
        turns[k][3] = 0.5 * k;
    }
    for (int p = 0; p < n; p++) {
        double x = 0.3, y = -0.1;
        for (int k = 0; k < parts; k++) {
            x += weights[p] * (turns[k][0] + 0.5 * turns[k][1] + k * turns[k][2] + turns[k][3]);
            y -= weights[p] * (turns[k][1] - turns[k][2] * 0.25 + turns[k][3]);
        }
        out[2 * p] = x * y;
        out[2 * p + 1] = x - y;
    }
}

/* The same with a table that changes from point to point. */
static void moving(const double *angles, int parts, const double *weights, int n, double *out)
{
    double turns[PARTS][4] = {{0}};
    for (int k = 0; k < parts; k++)
        for (int j = 0; j < 4; j++)
            turns[k][j] = k == 2 ? 0.0 : 1.0 + j;
    for (int p = 0; p < n; p++) {
        double x = 0.0;
        for (int k = 0; k < parts; k++)
            x += weights[p] * (turns[k][0] + 0.5 * turns[k][1] + k * turns[k][2] + turns[k][3]);
        turns[p % PARTS][p % 4] += 0.01 * angles[p % ANGLES] * x;
        out[2 * p] = x;
        out[2 * p + 1] = x * x;
    }
}

static double angles[ANGLES] = {0.3, -0.2, 0.5, 0.1, -0.4, 0.7}, weights[POINTS], out[2 * POINTS], more[2 * POINTS], less[2 * POINTS];
static double d[4][ANGLES], columns[4][2 * POINTS];

static int check(const char *what, void (*f)(const double *, int, const double *, int, double *), int parts, int n)
{
    int wrong = 0;
    for (int l = 0; l < 4; l++)
        for (int p = 0; p < n; p++)
            for (int i = 0; i < 2; i++) {
                double h = 1e-6, scale = 0.0, expected;
                double old[ANGLES];
                for (int j = 0; j < ANGLES; j++) {
                    old[j] = angles[j];
                    scale = fmax(scale, fabs(d[l][j]));
                }
                if (scale == 0.0) {
                    wrong += columns[l][2 * p + i] != 0.0;
                    continue;
                }
                for (int j = 0; j < ANGLES; j++)
                    angles[j] = old[j] + h * d[l][j] / scale;
                f(angles, parts, weights, n, more);
                for (int j = 0; j < ANGLES; j++)
                    angles[j] = old[j] - h * d[l][j] / scale;
                f(angles, parts, weights, n, less);
                for (int j = 0; j < ANGLES; j++)
                    angles[j] = old[j];
                expected = (more[2 * p + i] - less[2 * p + i]) / (2 * h);
                if (!(fabs(columns[l][2 * p + i] / scale - expected) < 1e-6 * (1 + fabs(expected)))) {
                    printf("%s: column %d of %d is %.10g, not %.10g\n", what, l, 2 * p + i, columns[l][2 * p + i], expected * scale);
                    wrong = 1;
                }
            }
    return wrong;
}

int main(void)
{
    int wrong = 0;
    for (int p = 0; p < POINTS; p++)
        weights[p] = 0.02 * (p + 1);
    for (int round = 0; round < 4; round++) {
        /* One angle each; a very small direction; none at all; and few points. */
        for (int l = 0; l < 4; l++)
            for (int j = 0; j < ANGLES; j++)
                d[l][j] = j == (l + round) % ANGLES ? (round == 1 ? 1e-200 : 1.0) : 0.0;
        if (round == 2)
            d[1][1] = d[1][2] = d[1][3] = d[1][4] = d[1][5] = d[1][0] = 0.0;
        int n = round == 3 ? 5 : POINTS;
        for (int parts = 0; parts <= PARTS; parts += 3) {
            __enzyme_fwddiff((void *)places, enzyme_width, 4, enzyme_dup, angles, d[0], d[1], d[2], d[3], enzyme_const, parts, enzyme_const, weights,
                             enzyme_const, n, enzyme_dup, out, columns[0], columns[1], columns[2], columns[3]);
            wrong |= check("places", places, parts, n);
        }
        __enzyme_fwddiff((void *)moving, enzyme_width, 4, enzyme_dup, angles, d[0], d[1], d[2], d[3], enzyme_const, PARTS, enzyme_const, weights, enzyme_const,
                         n, enzyme_dup, out, columns[0], columns[1], columns[2], columns[3]);
        wrong |= check("moving", moving, PARTS, n);
    }
    /* What is not a number is not zero. */
    d[0][0] = NAN;
    __enzyme_fwddiff((void *)places, enzyme_width, 4, enzyme_dup, angles, d[0], d[1], d[2], d[3], enzyme_const, PARTS, enzyme_const, weights, enzyme_const,
                     POINTS, enzyme_dup, out, columns[0], columns[1], columns[2], columns[3]);
    if (!isnan(columns[0][0]) || isnan(columns[3][0])) {
        printf("what is not a number is lost\n");
        wrong = 1;
    }
    return wrong;
}
