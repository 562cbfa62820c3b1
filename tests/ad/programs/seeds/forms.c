// Several adjoint seeds at once: many lanes in vectors, single precision, seeds of results, adjoints that are returned.
#include <math.h>
#include <stdio.h>

extern int enzyme_dup, enzyme_const, enzyme_width, enzyme_out;
int enzyme_dup, enzyme_const, enzyme_width, enzyme_out;
void __enzyme_autodiff(void *, ...);

static int failures;
static void expect(const char *what, double is, double should, double tolerance)
{
    if (!(fabs(is - should) <= tolerance * (1 + fabs(should)))) {
        printf("%s: %.17g instead of %.17g\n", what, is, should);
        failures++;
    }
}

/* Much arithmetic, little traffic: adjoints go in vectors. */
static void rotate(const double *x, double *y)
{
    double a[3][3], length = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            a[i][j] = (i == j) * cos(length) + x[i] * x[j] / (1 + length) + (i - j) * sin(x[(i + j) % 3]);
    for (int i = 0; i < 3; i++) {
        double sum = 0;
        for (int j = 0; j < 3; j++)
            sum += a[i][j] * a[j][i] * x[3 + j] / (1.5 + a[i][(j + 1) % 3]);
        y[i] = sum;
    }
}
static void rotate_float(const float *x, float *y)
{
    float length = sqrtf(x[0] * x[0] + x[1] * x[1]), c = cosf(length), s = sinf(length), r = 1 / (1 + c * c);
    y[0] = (c * x[0] - s * x[1]) * r + x[0] * s * s;
    y[1] = (s * x[0] + c * x[1]) * r - x[1] * c * s;
    y[2] = c * s * r;
}

static double power(double x, double y, const double *z) { return pow(x, y) * z[0] + sin(z[1]) * x; }
struct both { double x0, x1, y0, y1; };
struct both __enzyme_autodiff_both(void *, ...);

int main(void)
{
    double x[6] = {0.3, -0.2, 0.5, 1.1, 0.7, -0.4}, y[3], rows[3][6] = {{0}}, seeds[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    __enzyme_autodiff((void *)rotate, enzyme_width, 3, enzyme_dup, x, rows[0], rows[1], rows[2], enzyme_dup, y, seeds[0], seeds[1], seeds[2]);
    double many[5][6] = {{0}}, given[5][3];
    for (int k = 0; k < 5; k++)
        for (int i = 0; i < 3; i++)
            given[k][i] = k - 0.7 * i;
    __enzyme_autodiff((void *)rotate, enzyme_width, 5, enzyme_dup, x, many[0], many[1], many[2], many[3], many[4], enzyme_dup, y, given[0], given[1], given[2],
                      given[3], given[4]);
    for (int i = 0; i < 6; i++) {
        double h = 1e-6, up[3], down[3], old = x[i];
        x[i] = old + h;
        rotate(x, up);
        x[i] = old - h;
        rotate(x, down);
        x[i] = old;
        double column[3];
        for (int r = 0; r < 3; r++) {
            column[r] = (up[r] - down[r]) / (2 * h);
            expect("row", rows[r][i], column[r], 1e-7);
        }
        for (int k = 0; k < 5; k++)
            expect("sum of rows", many[k][i], k * column[0] + (k - 0.7) * column[1] + (k - 1.4) * column[2], 1e-7);
    }
    for (int r = 0; r < 3; r++)
        for (int i = 0; i < 3; i++)
            expect("seed", seeds[r][i], 0, 0);

    float u[2] = {0.4f, 0.9f}, v[3], ubar[9][2] = {{0}}, vbar[9][3];
    for (int k = 0; k < 9; k++)
        for (int i = 0; i < 3; i++)
            vbar[k][i] = (float)(k == i || k == i + 3 || k == i + 6);
    __enzyme_autodiff((void *)rotate_float, enzyme_width, 9, enzyme_dup, u, ubar[0], ubar[1], ubar[2], ubar[3], ubar[4], ubar[5], ubar[6], ubar[7], ubar[8],
                      enzyme_dup, v, vbar[0], vbar[1], vbar[2], vbar[3], vbar[4], vbar[5], vbar[6], vbar[7], vbar[8]);
    for (int i = 0; i < 2; i++) {
        float h = 1e-2f, up[3], down[3], old = u[i];
        u[i] = old + h;
        rotate_float(u, up);
        u[i] = old - h;
        rotate_float(u, down);
        u[i] = old;
        for (int k = 0; k < 9; k++)
            expect("float", ubar[k][i], (up[k % 3] - down[k % 3]) / (2 * h), 1e-2);
    }

    double z[2] = {2, 3}, z0[2] = {0}, z1[2] = {0}, xx = 1.3, yy = 0.7;
    struct both b = __enzyme_autodiff_both((void *)power, enzyme_width, 2, enzyme_out, xx, enzyme_out, yy, enzyme_dup, z, z0, z1);
    expect("x", b.x0, yy * pow(xx, yy - 1) * 2 + sin(3.0), 1e-12);
    expect("x", b.x1, b.x0, 0);
    expect("y", b.y0, pow(xx, yy) * log(xx) * 2, 1e-12);
    expect("y", b.y1, b.y0, 0);
    expect("z", z0[0], pow(xx, yy), 1e-12);
    expect("z", z1[1], cos(3.0) * xx, 1e-12);
    return failures != 0;
}
