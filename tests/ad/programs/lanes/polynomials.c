// Polynomials by Horner's rule and by Clenshaw's, of a few to more terms than are written out, at none to many points; coefficients for all points or for each, and terms from both ends; and rational functions.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int enzyme_dup, enzyme_const;
double __enzyme_autodiff(void *, ...);

enum { MOST = 300, TERMS = 20 };

#define HORNER(terms)                                                                                                                                                                 \
    static double horner_##terms(const double *c, const double *x, double *y, int n)                                                                                                  \
    {                                                                                                                                                                                 \
        double sum = 0;                                                                                                                                                               \
        for (int i = 0; i < n; i++) {                                                                                                                                                 \
            double v = c[terms];                                                                                                                                                      \
            for (int k = terms - 1; k >= 0; k--)                                                                                                                                      \
                v = v * x[i] + c[k];                                                                                                                                                  \
            y[i] = v;                                                                                                                                                                 \
        }                                                                                                                                                                             \
        for (int i = 0; i < n; i++)                                                                                                                                                   \
            sum += y[i] * y[i] * (1 + i % 3);                                                                                                                                         \
        return sum;                                                                                                                                                                   \
    }
HORNER(4)
HORNER(11)
HORNER(16)
HORNER(17)

static double clenshaw(const double *c, const double *x, double *y, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        double b1 = 0, b2 = 0;
        for (int k = 12; k > 0; k--) {
            double b = 2 * x[i] * b1 - b2 + c[k];
            b2 = b1;
            b1 = b;
        }
        y[i] = x[i] * b1 - b2 + c[0];
        sum += y[i] * sin(y[i]);
    }
    return sum;
}

/* The loop over the terms writes as well, so it stays one. */
static double powers(const double *c, const double *x, double *y, int n)
{
    double sum = 0, at[13];
    for (int i = 0; i < n; i++) {
        double v = 1;
        for (int k = 0; k < 13; k++) {
            at[k] = v * c[k];
            v *= x[i];
        }
        y[i] = at[0];
        for (int k = 12; k > 0; k--)
            y[i] += at[k] * at[k - 1];
        sum += y[i] * y[i];
    }
    return sum;
}

static double of_each(const double *c, const double *x, double *y, int n)
{
    double sum = 0;
    for (int i = 0; i + 10 < n; i++) {
        double v = c[0];
        for (int k = 0; k < 10; k++)
            v = v * c[k] + x[i + k];
        y[i] = v;
        sum += v * v;
    }
    return sum;
}

static double rational(const double *c, const double *x, double *y, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        double p = 0, q = 1;
        for (int k = 0; k < 14; k++) {
            p = (p + c[k]) * x[i];
            q = q * (x[i] * x[i]) + 0.1 * c[13 - k] * c[13 - k];
        }
        y[i] = p / (1 + q * q);
        if (i > 0)
            sum += y[i] * y[i - 1];
    }
    return sum;
}

typedef double function(const double *, const double *, double *, int);
static double c[TERMS], c_bar[TERMS], x[MOST], x_bar[MOST], y[MOST], y_bar[MOST];

static int compare(const char *name, function *f, double *z, const double *bar, int count, int step, int n)
{
    int wrong = 0;
    for (int i = 0; i < count; i += step) {
        double old = z[i], h = 1e-6;
        z[i] = old + h;
        double up = f(c, x, y, n);
        z[i] = old - h;
        double down = f(c, x, y, n);
        z[i] = old;
        double expected = (up - down) / (2 * h);
        if (!(fabs(bar[i] - expected) < 1e-5 * (1 + fabs(expected)))) {
            printf("%s, %d points: [%d]: %g instead of %g\n", name, n, i, bar[i], expected);
            wrong++;
        }
    }
    return wrong;
}

#define TRY(f)                                                                                                                                                                        \
    do {                                                                                                                                                                              \
        memset(c_bar, 0, sizeof c_bar);                                                                                                                                               \
        memset(x_bar, 0, sizeof x_bar);                                                                                                                                               \
        memset(y_bar, 0, sizeof y_bar);                                                                                                                                               \
        __enzyme_autodiff((void *)f, enzyme_dup, c, c_bar, enzyme_dup, x, x_bar, enzyme_dup, y, y_bar, enzyme_const, n);                                                              \
        wrong += compare(#f, f, c, c_bar, TERMS, 1, n) + compare(#f, f, x, x_bar, n, 7, n);                                                                                           \
    } while (0)

int main(void)
{
    const int sizes[] = {0, 1, 5, 16, MOST};
    int wrong = 0;
    for (int i = 0; i < TERMS; i++)
        c[i] = 0.5 * cos(1.3 * i);
    for (int i = 0; i < MOST; i++)
        x[i] = 0.9 * sin(0.7 * i);
    for (int k = 0; k < 5; k++) {
        int n = sizes[k];
        TRY(horner_4);
        TRY(horner_11);
        TRY(horner_16);
        TRY(horner_17);
        TRY(clenshaw);
        TRY(powers);
        TRY(of_each);
        TRY(rational);
    }
    return wrong != 0;
}
