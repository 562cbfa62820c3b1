/* Structs that end in an array which is longer than they say, copied, filled and made longer. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
int enzyme_dup, enzyme_const;

struct list {
    int count;
    double values[];
};
struct table {
    double scale;
    int rows;
    double values[0][2];
};

static double longer(const double *x, int n)
{
    struct list *list = malloc(sizeof *list + n * sizeof *list->values);
    list->count = n;
    for (int i = 0; i < n; i++)
        list->values[i] = x[i] * x[i];
    list = realloc(list, sizeof *list + (n + 2) * sizeof *list->values);
    list->values[n] = x[0] * x[3];
    list->values[n + 1] = x[2];
    double s = 0;
    for (int i = 0; i < n + 2; i++)
        s += sin(list->values[i]) * list->count;
    free(list);
    return s;
}

static double copied(const double *x, int n)
{
    size_t bytes = sizeof(struct table) + n / 2 * 2 * sizeof(double);
    struct table *a = calloc(1, bytes), *b = malloc(bytes);
    a->scale = x[0] * x[1];
    a->rows = n / 2;
    for (int i = 0; i < a->rows; i++)
        a->values[i][0] = x[2 * i] * x[1], a->values[i][1] = exp(x[2 * i + 1]);
    memcpy(b, a, bytes);
    memset(a, 0, bytes);
    double s = a->scale;
    for (int i = 0; i < b->rows; i++)
        s += b->values[i][0] * b->values[i][1] * b->scale + a->values[i][1];
    free(a);
    free(b);
    return s;
}

static int check(double (*f)(const double *, int), const double *gradient, const double *tangents, const char *name)
{
    double x[4] = {0.7, 1.3, 0.4, 0.9};
    int bad = 0;
    for (int i = 0; i < 4; i++) {
        double h = 1e-6, q = x[i];
        x[i] = q + h;
        double up = f(x, 4);
        x[i] = q - h;
        double down = f(x, 4), difference = (up - down) / (2 * h);
        x[i] = q;
        if (fabs(gradient[i] - difference) > 1e-7 * (1 + fabs(difference)) || fabs(gradient[i] - tangents[i]) > 1e-12 * (1 + fabs(difference))) {
            printf("%s %d: reverse %g, forward %g, differences %g\n", name, i, gradient[i], tangents[i], difference);
            bad = 1;
        }
    }
    return bad;
}

#define CHECK(f)                                                                                  \
    do {                                                                                          \
        double x[4] = {0.7, 1.3, 0.4, 0.9}, g[4] = {0}, t[4];                                     \
        __enzyme_autodiff((void *)f, enzyme_dup, x, g, enzyme_const, 4);                          \
        for (int i = 0; i < 4; i++) {                                                             \
            double d[4] = {0};                                                                    \
            d[i] = 1;                                                                             \
            t[i] = __enzyme_fwddiff((void *)f, enzyme_dup, x, d, enzyme_const, 4);                \
        }                                                                                         \
        bad |= check(f, g, t, #f);                                                                \
    } while (0)

int main(void)
{
    int bad = 0;
    CHECK(longer);
    CHECK(copied);
    return bad;
}
