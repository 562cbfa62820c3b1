// Vectors of two, three and four numbers in local arrays, with short loops over their parts; choices whose reverse is the same either way.
#include "check.h"

void __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

static const double box = 3.0;

/* Pairs in a periodic box. */
static double pairs(const double *x, int n)
{
    double energy = 0.0;
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) {
            double d[3], r2 = 0.1;
            for (int c = 0; c < 3; c++) {
                d[c] = x[3 * i + c] - x[3 * j + c];
                if (d[c] > box / 2)
                    d[c] -= box;
                if (d[c] < -box / 2)
                    d[c] += box;
                r2 += d[c] * d[c];
            }
            if (r2 > 2.0)
                continue;
            energy += 1 / (r2 * r2) + d[0] * d[1] * d[2];
        }
    return energy;
}

static void rate(const double y[4], const double *p, double out[4])
{
    out[0] = y[2];
    out[1] = y[3];
    out[2] = -p[0] * sin(y[0]) + p[1] * y[1];
    out[3] = -p[1] * y[1] * y[1] + 0.1 * y[0];
}

/* Runge-Kutta, the state in arrays. */
static double path(const double *start, const double *p, int steps)
{
    double y[4], k[4][4], probe[4], h = 0.02;
    static const double ahead[4] = {0, 0.5, 0.5, 1};
    for (int i = 0; i < 4; i++)
        y[i] = start[i];
    for (int t = 0; t < steps; t++) {
        for (int s = 0; s < 4; s++) {
            for (int i = 0; i < 4; i++)
                probe[i] = s ? y[i] + ahead[s] * h * k[s - 1][i] : y[i];
            rate(probe, p, k[s]);
        }
        for (int i = 3; i >= 0; i--)
            y[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
    }
    return y[0] * y[1] + y[2] * y[3];
}

/* Left early, cut short, in steps of two, not at all, with an index that is used behind. */
static double odd_loops(const double *x, int n, int kind)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        double part[6] = {0}, a[2][3] = {{0}};
        int k, last = 0;
        for (k = 0; k < 6; k += 2)
            part[k] = x[i] * k + x[n - 1 - i];
        part[1] = k;
        for (int c = 0; c < 3; c++) {
            if (kind == 1 && x[i] > 0.3)
                continue;
            if (kind == 2 && part[2 * c] < 0.0)
                break;
            last = c;
            a[c % 2][c] = part[2 * c] * part[c];
        }
        for (int r = 1; r >= 0; r--)
            for (int c = 0; c < 3; c++)
                sum += a[r][c] * part[r + c] + last;
        for (int c = 5; c < 5; c++)
            sum += part[c] * 1e6;
    }
    return sum;
}

/* Choices that only add what has no derivative. */
static double wrapped(const double *x, const double *shift, int n)
{
    double sum = 0.0, angle = 0.0;
    for (int i = 0; i < n; i++) {
        angle += x[i];
        if (angle > 1.0)
            angle = angle - 2.0 + shift[i];
        else if (angle < -1.0)
            angle = 2.0 + angle;
        double other = x[i] > 0.2 ? shift[i] + x[i] : x[i] - 0.5;
        double mixed = x[i] > 0.4 ? x[i] + 1 : 1 - x[i];
        sum += angle * angle * other + mixed * other;
    }
    return sum;
}

enum { N = 30 };
static double x[3 * N], x_bar[3 * N], p[2] = {1.3, 0.4}, p_bar[2], shift[N];
static int kind;
static double pairs_value(void) { return pairs(x, N); }
static double path_value(void) { return path(x, p, 40); }
static double odd_value(void) { return odd_loops(x, N, kind); }
static double wrapped_value(void) { return wrapped(x, shift, N); }

int main(void)
{
    int failures = 0;
    check_fill(x, 3 * N, -1.5, 1.5);
    check_fill(shift, N, -0.1, 0.1);
    __enzyme_autodiff((void *)pairs, enzyme_dup, x, x_bar, enzyme_const, N);
    failures += check_gradient("pairs", pairs_value, x, x_bar, 3 * N);

    memset(x_bar, 0, sizeof x_bar);
    __enzyme_autodiff((void *)path, enzyme_dup, x, x_bar, enzyme_dup, p, p_bar, enzyme_const, 40);
    failures += check_gradient("path, start", path_value, x, x_bar, 4);
    failures += check_gradient("path, parameters", path_value, p, p_bar, 2);
    double way[4] = {1, 0, 0, 0}, tangent = __enzyme_fwddiff((void *)path, enzyme_dup, x, way, enzyme_const, p, enzyme_const, 40);
    if (!(fabs(tangent - x_bar[0]) < 1e-12 * (1 + fabs(tangent)))) {
        printf("path: forward %g, reverse %g\n", tangent, x_bar[0]);
        failures++;
    }

    for (kind = 0; kind < 3; kind++) {
        memset(x_bar, 0, sizeof x_bar);
        __enzyme_autodiff((void *)odd_loops, enzyme_dup, x, x_bar, enzyme_const, N, enzyme_const, kind);
        failures += check_gradient("odd loops", odd_value, x, x_bar, N);
    }

    memset(x_bar, 0, sizeof x_bar);
    __enzyme_autodiff((void *)wrapped, enzyme_dup, x, x_bar, enzyme_const, shift, enzyme_const, N);
    failures += check_gradient("wrapped", wrapped_value, x, x_bar, N);
    return failures != 0;
}
