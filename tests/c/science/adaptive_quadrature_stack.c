// flags: -lm
// Adaptive Simpson and Gauss-Kronrod with an explicit work stack in a flexible array, a function table and error codes.
#include "../check.h"
#include <math.h>
#include <stdlib.h>

typedef struct { double a, b, fa, fm, fb, whole; int depth; } piece;
typedef struct { int used, size; piece at[]; } stack;
typedef double (*integrand)(double, void *);

static int push(stack **s, piece p)
{
    if ((*s)->used == (*s)->size) {
        int size = 2 * (*s)->size;
        stack *bigger = realloc(*s, sizeof **s + size * sizeof(piece));
        if (!bigger)
            return -1;
        bigger->size = size;
        *s = bigger;
    }
    (*s)->at[(*s)->used++] = p;
    return 0;
}

static int integrate(integrand f, void *data, double a, double b, double tolerance, double *result, int *pieces)
{
    int status = 0;
    stack *s = malloc(sizeof *s + 2 * sizeof(piece));
    if (!s)
        return -1;
    s->used = 0, s->size = 2;
    double fa = f(a, data), fb = f(b, data), fm = f((a + b) / 2, data);
    piece p = {a, b, fa, fm, fb, (b - a) / 6 * (fa + 4 * fm + fb), 0};
    if (push(&s, p))
        goto out;
    *result = 0, *pieces = 0;
    while (s->used) {
        p = s->at[--s->used];
        double m = 0.5 * (p.a + p.b), h = p.b - p.a;
        double fl = f(0.5 * (p.a + m), data), fr = f(0.5 * (m + p.b), data);
        double left = h / 12 * (p.fa + 4 * fl + p.fm), right = h / 12 * (p.fm + 4 * fr + p.fb);
        double error = left + right - p.whole;
        if (fabs(error) <= 15 * tolerance * h / (b - a) || p.depth >= 40) {
            if (p.depth >= 40)
                status = 1;
            *result += left + right + error / 15;
            ++*pieces;
            continue;
        }
        piece l = {p.a, m, p.fa, fl, p.fm, left, p.depth + 1}, r = {m, p.b, p.fm, fr, p.fb, right, p.depth + 1};
        if ((status = push(&s, r)) || (status = push(&s, l)))
            goto out;
    }
out:
    free(s);
    return status;
}

static double wave(double x, void *data) { return sin(*(double *)data * x) * exp(-x); }
static double root(double x, void *data) { (void)data; return sqrt(x); }
static double step(double x, void *data) { return x < *(const double *)data; }

int main(void)
{
    static const struct { const char *name; integrand f; double parameter, a, b, exact, tolerance; int status; } cases[] = {
        {"wave", wave, 10, 0, 20, 10.0 / 101, 1e-5, 0},
        {"root", root, 0, 0, 1, 2.0 / 3, 1e-7, 0},
        {"step", step, 0.3, 0, 1, 0.3, 1e-6, 1},
    };
    for (unsigned k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        double value = 0, parameter = cases[k].parameter;
        int pieces = 0;
        int status = integrate(cases[k].f, &parameter, cases[k].a, cases[k].b, 1e-9, &value, &pieces);
        CHECK(status == cases[k].status);
        CHECK_NEAR(value, cases[k].exact, cases[k].tolerance);
        printf("%s %.6f in %s\n", cases[k].name, value, pieces > 100 ? "many" : "few");
    }
    return check_done();
}
