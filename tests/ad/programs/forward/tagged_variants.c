// Values that are a number, an integer or an array, as a tag says: integers are computed with integers, where a number may lie.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
extern int enzyme_dup, enzyme_const;

typedef struct {
    enum { INTEGER, NUMBER, ARRAY } tag;
    union {
        long integer;
        double number;
        struct {
            double *elements;
            int count;
        } array;
    } as;
} Variant;

static double number_of(Variant v) { return v.tag == INTEGER ? (double)v.as.integer : v.as.number; }

static Variant product(Variant a, Variant b)
{
    Variant result;
    if (a.tag == INTEGER && b.tag == INTEGER) {
        result.tag = INTEGER;
        result.as.integer = a.as.integer * b.as.integer;
    } else {
        result.tag = NUMBER;
        result.as.number = number_of(a) * number_of(b);
    }
    return result;
}

static double weight(const Variant *v)
{
    double sum = 0.0;
    if (v->tag != ARRAY)
        return number_of(*v);
    for (int k = 0; k < v->as.array.count; k++)
        sum += v->as.array.elements[k] * (k + 1);
    return sum;
}

double evaluated(const double *x, int n)
{
    Variant *stack = malloc((2 * n + 1) * sizeof *stack);
    int top = 0;
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        Variant v;
        if (i % 3 == 2) {
            v.tag = ARRAY;
            v.as.array.count = 2;
            v.as.array.elements = malloc(2 * sizeof(double));
            v.as.array.elements[0] = x[i] * x[0];
            v.as.array.elements[1] = x[i] * x[i];
        } else if (i % 3 == 1 && i != 4) {
            v.tag = NUMBER;
            v.as.number = sin(x[i]);
        } else {
            v.tag = INTEGER;
            v.as.integer = i + 2;
        }
        stack[top++] = v;
        if (top > 1 && stack[top - 1].tag != ARRAY && stack[top - 2].tag != ARRAY) {
            stack[top - 2] = product(stack[top - 2], stack[top - 1]);
            top--;
        }
    }
    while (top > 0) {
        top--;
        sum += weight(&stack[top]) * (top + 1);
        if (stack[top].tag == ARRAY)
            free(stack[top].as.array.elements);
    }
    free(stack);
    return sum;
}

int main(void)
{
    enum { N = 9 };
    double x[N], x_bar[N] = {0};
    int bad = 0;
    for (int i = 0; i < N; i++)
        x[i] = sin(5.0 * i + 1.0);
    __enzyme_autodiff((void *)evaluated, enzyme_dup, x, x_bar, enzyme_const, N);
    for (int i = 0; i < N; i++) {
        double kept = x[i], h = 1e-6, x_dot[N] = {0};
        x_dot[i] = 1.0;
        double tangent = __enzyme_fwddiff((void *)evaluated, enzyme_dup, x, x_dot, enzyme_const, N);
        x[i] = kept + h;
        double up = evaluated(x, N);
        x[i] = kept - h;
        double down = evaluated(x, N);
        x[i] = kept;
        bad |= !(fabs(tangent - (up - down) / (2.0 * h)) < 1e-6) || !(fabs(x_bar[i] - tangent) < 1e-12);
    }
    printf("%s\n", bad ? "wrong" : "right");
    return bad;
}
