// Arrays with a header in front, which grow by `realloc` of the header: what lies behind it is numbers, or integers, as their users say.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
extern int enzyme_dup, enzyme_const;

typedef struct {
    size_t count, room;
} Header;

typedef struct {
    double value;
    int tag;
} Point;

#define HEADER(array) ((Header *)(array) - 1)
#define PUSH(array, element) \
    ((!(array) || HEADER(array)->count == HEADER(array)->room) ? ((array) = grown((array), sizeof *(array))) : 0, \
        (array)[HEADER(array)->count++] = (element))

static void *grown(void *array, size_t size)
{
    size_t room = array ? 2 * HEADER(array)->room : 2, count = array ? HEADER(array)->count : 0;
    Header *header = realloc(array ? HEADER(array) : NULL, sizeof(Header) + room * size);
    header->room = room;
    header->count = count;
    return header + 1;
}

double weighted(const double *x, int n)
{
    double *squares = NULL;
    Point *points = NULL;
    int *order = NULL;
    for (int i = 0; i < n; i++) {
        Point point = {sin(x[i]), i};
        PUSH(squares, x[i] * x[i]);
        PUSH(points, point);
        PUSH(order, i * 3 % n);
    }
    double sum = 0.0;
    for (size_t i = 0; i < HEADER(squares)->count; i++)
        sum += squares[order[i]] * points[i].value * (points[i].tag + 1);
    free(HEADER(squares));
    free(HEADER(points));
    free(HEADER(order));
    return sum;
}

int main(void)
{
    enum { N = 7 };
    double x[N], x_bar[N] = {0};
    int bad = 0;
    for (int i = 0; i < N; i++)
        x[i] = sin(5.0 * i + 1.0);
    __enzyme_autodiff((void *)weighted, enzyme_dup, x, x_bar, enzyme_const, N);
    for (int i = 0; i < N; i++) {
        double expected = 0.0, x_dot[N] = {0};
        for (int k = 0; k < N; k++) {
            expected += k * 3 % N == i ? 2.0 * x[i] * sin(x[k]) * (k + 1) : 0.0;
            expected += k == i ? x[k * 3 % N] * x[k * 3 % N] * cos(x[i]) * (k + 1) : 0.0;
        }
        x_dot[i] = 1.0;
        double tangent = __enzyme_fwddiff((void *)weighted, enzyme_dup, x, x_dot, enzyme_const, N);
        bad |= !(fabs(x_bar[i] - expected) < 1e-12) || !(fabs(tangent - expected) < 1e-12);
    }
    printf("%s\n", bad ? "wrong" : "right");
    return bad;
}
