/* Tagged unions of a double, a pointer to active memory and a pointer to a function: places change their member, values are copied, returned and kept on a stack. */
#include <math.h>
#include <stdio.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
int enzyme_dup;

typedef struct {
    enum { NUMBER, VECTOR, FUNCTION } tag;
    union {
        double number;
        struct { double *at; int count; } vector;
        struct { double (*f)(double); double argument; } function;
    } as;
} value;

static value number(double v) { return (value){NUMBER, {.number = v}}; }

static value vector(double *at, int count)
{
    value v;
    v.tag = VECTOR;
    v.as.vector.at = at;
    v.as.vector.count = count;
    return v;
}

static double evaluate(const value *v)
{
    double s = 0;
    switch (v->tag) {
    case NUMBER:
        return v->as.number * v->as.number;
    case VECTOR:
        for (int i = 0; i < v->as.vector.count; i++)
            s += v->as.vector.at[i] * (i + 1);
        return s;
    case FUNCTION:
        return v->as.function.f(v->as.function.argument);
    }
    return 0;
}

/* Three places, used in turn for everything. */
static double places(double *x)
{
    value v[3];
    double s = 0;
    for (int i = 0; i < 12; i++) {
        value *w = &v[i % 3];
        switch (i % 4) {
        case 0:
            *w = number(x[i % 5] * x[0]);
            break;
        case 1:
            *w = vector(x + i / 4, 2);
            break;
        case 2:
            w->tag = FUNCTION;
            w->as.function.f = i > 5 ? sin : exp;
            w->as.function.argument = x[i % 5] * x[1];
            break;
        default:
            *w = v[(i + 1) % 3];
        }
        s += evaluate(w) * (i + 1);
        if (i > 2)
            s += evaluate(&v[(i + 1) % 3]);
    }
    return s;
}

static double machine(double *x)
{
    value stack[8];
    int top = 0;
    double s = 0;
    for (const char *c = "0v1d*d2+v0d+*v"; *c; c++)
        switch (*c) {
        case 'd':
            stack[top] = stack[top - 1];
            top++;
            break;
        case 'v':
            stack[top++] = vector(x, 4);
            break;
        case '*':
            top--;
            stack[top - 1] = number(evaluate(&stack[top - 1]) * 0.3 * evaluate(&stack[top]));
            break;
        case '+':
            top--;
            stack[top - 1] = number(evaluate(&stack[top - 1]) + evaluate(&stack[top]));
            break;
        default:
            stack[top++] = number(x[*c - '0']);
        }
    while (top > 0) {
        top--;
        s += evaluate(&stack[top]) * (top + 1);
    }
    return s;
}

static int check(const char *name, double (*f)(double *), const double *gradient, const double *columns)
{
    int failures = 0;
    for (int i = 0; i < 5; i++) {
        double x[5] = {0.7, 1.1, -0.4, 0.9, 0.5}, at = x[i], h = 1e-5;
        x[i] = at + h;
        double above = f(x);
        x[i] = at - h;
        double below = f(x), difference = (above - below) / (2 * h);
        if (!(fabs(gradient[i] - difference) <= 1e-6 * (1 + fabs(difference))) ||
            !(fabs(gradient[i] - columns[i]) <= 1e-11 * (1 + fabs(difference)))) {
            printf("%s, x[%d]: reverse %.12g, forward %.12g, differences %.12g\n", name, i, gradient[i], columns[i], difference);
            failures++;
        }
    }
    return failures;
}

int main(void)
{
    double x[5] = {0.7, 1.1, -0.4, 0.9, 0.5}, first[5] = {0}, second[5] = {0}, columns[2][5];
    __enzyme_autodiff((void *)places, enzyme_dup, x, first);
    __enzyme_autodiff((void *)machine, enzyme_dup, x, second);
    for (int i = 0; i < 5; i++) {
        double direction[5] = {0};
        direction[i] = 1;
        columns[0][i] = __enzyme_fwddiff((void *)places, enzyme_dup, x, direction);
        columns[1][i] = __enzyme_fwddiff((void *)machine, enzyme_dup, x, direction);
    }
    return check("places", places, first, columns[0]) + check("machine", machine, second, columns[1]) != 0;
}
