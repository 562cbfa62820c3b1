// Arrays of pointers that are members of structs, beside other pointers: stages of an integrator, in blocks of their own; the same block in two arrays, and in an array that is longer than its type says.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

extern int enzyme_dup, enzyme_const;
void __enzyme_autodiff(void *, ...);

typedef struct {
    int n;
    double *stage[4];
    double *now, *sum;
} Steps;

static Steps *steps_new(int n)
{
    Steps *s = calloc(1, sizeof *s);
    s->n = n;
    for (int i = 0; i < 4; i++)
        s->stage[i] = malloc(n * sizeof(double));
    s->now = malloc(2 * n * sizeof(double));
    s->sum = s->now + n;
    return s;
}

static void steps_free(Steps *s)
{
    for (int i = 0; i < 4; i++)
        free(s->stage[i]);
    free(s->now);
    free(s);
}

// The classical Runge-Kutta method, with ring-shaped neighbours.
static double integrate(const double *x, int n, int count)
{
    static const double part[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
    Steps *s = steps_new(n);
    double y[16];
    for (int i = 0; i < n; i++)
        y[i] = x[i];
    for (int c = 0; c < count; c++) {
        for (int k = 0; k < 4; k++) {
            for (int i = 0; i < n; i++)
                s->now[i] = y[i] + (k ? part[k] * 0.1 * s->stage[k - 1][i] : 0);
            for (int i = 0; i < n; i++)
                s->stage[k][i] = s->now[i] * (1 - s->now[i]) + 0.3 * s->now[(i + 1) % n];
        }
        for (int i = 0; i < n; i++) {
            s->sum[i] = 0;
            for (int k = 0; k < 4; k++)
                s->sum[i] += weight[k] / 6 * s->stage[k][i];
            y[i] += 0.1 * s->sum[i];
        }
    }
    double e = 0;
    for (int i = 0; i < n; i++)
        e += (i + 1) * y[i] * y[i];
    steps_free(s);
    return e;
}

// Each block is in two members.
struct both {
    double *a[3], *b[3], *end;
};

static double shared(const double *x, int n, int count)
{
    struct both *s = malloc(sizeof *s);
    double e = 0;
    for (int i = 0; i < 3; i++) {
        double *block = malloc(n * sizeof *block);
        s->a[i] = block;
        s->b[2 - i] = block;
        for (int j = 0; j < n; j++)
            block[j] = x[j] + i;
    }
    s->end = s->a[2];
    for (int c = 0; c < count; c++)
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < n; j++) {
                e += s->a[i][j] * s->b[i][j];
                s->b[2 - i][j] = 0.5 * s->a[i][j] * s->end[j] + 0.1 * s->b[i][j];
            }
    for (int i = 0; i < 3; i++)
        free(s->a[i]);
    free(s);
    return e;
}

// The array at the end is as long as its block.
struct tail {
    double *first;
    double *rest[1];
};

static double longer(const double *x, int n, int count)
{
    struct tail *s = malloc(sizeof *s + 3 * sizeof(double *));
    double e = 0;
    s->first = malloc(n * sizeof(double));
    for (int i = 0; i < 4; i++)
        s->rest[i] = malloc(n * sizeof(double));
    for (int j = 0; j < n; j++) {
        s->first[j] = x[j];
        for (int i = 0; i < 4; i++)
            s->rest[i][j] = x[j] * i;
    }
    for (int c = 0; c < count; c++) {
        for (int j = 0; j < n; j++)
            for (int i = 0; i < 4; i++) {
                s->rest[i][j] = sin(s->rest[(i + 1) % 4][j]) + s->first[j];
                e += s->rest[i][j] * s->rest[3 - i][j];
            }
        double *other = s->first;
        s->first = s->rest[0];
        s->rest[0] = other;
    }
    for (int i = 0; i < 4; i++)
        free(s->rest[i]);
    free(s->first);
    free(s);
    return e;
}

static int check(const char *name, double (*f)(const double *, int, int), const double *g, double *x, int n, int count)
{
    int bad = 0;
    for (int i = 0; i < n; i++) {
        double old = x[i], h = 1e-6;
        x[i] = old + h;
        double up = f(x, n, count);
        x[i] = old - h;
        double down = f(x, n, count);
        x[i] = old;
        double d = (up - down) / (2 * h);
        if (!(fabs(d - g[i]) <= 1e-6 * (1 + fabs(d)))) {
            printf("%s: %d is %.10g, not %.10g\n", name, i, g[i], d);
            bad = 1;
        }
    }
    return bad;
}

#define TRY(f)                                                                                                   \
    do {                                                                                                         \
        double g[11] = {0};                                                                                      \
        __enzyme_autodiff((void *)f, enzyme_dup, x, g, enzyme_const, 11, enzyme_const, 3);                       \
        bad |= check(#f, f, g, x, 11, 3);                                                                        \
    } while (0)

int main(void)
{
    double x[11];
    int bad = 0;
    for (int i = 0; i < 11; i++)
        x[i] = 0.4 + 0.3 * sin(3.0 * i);
    TRY(integrate);
    TRY(shared);
    TRY(longer);
    return bad;
}
