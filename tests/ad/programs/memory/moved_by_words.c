// A vector of elements of any size, sorted by a function that exchanges them word by word: the words are numbers, and integers beside them, moved as they lie.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
extern int enzyme_dup, enzyme_const;

typedef struct {
    char *data;
    size_t count, room, size;
} Vector;

typedef struct {
    int tag;
    double key, weight;
} Item;

static void begin(Vector *v, size_t size)
{
    v->data = NULL;
    v->count = v->room = 0;
    v->size = size;
}

static void *at(const Vector *v, size_t i) { return v->data + i * v->size; }

static void push(Vector *v, const void *element)
{
    if (v->count == v->room) {
        v->room = v->room ? 2 * v->room : 4;
        v->data = realloc(v->data, v->room * v->size);
    }
    memcpy(v->data + v->count++ * v->size, element, v->size);
}

typedef long Word __attribute__((may_alias));

static void exchange(void *a, void *b, size_t size)
{
    Word *p = a, *q = b;
    for (size_t k = 0; k < size / sizeof(Word); k++) {
        Word t = p[k];
        p[k] = q[k];
        q[k] = t;
    }
}

static void sort(Vector *v, int (*compare)(const void *, const void *))
{
    for (size_t i = 1; i < v->count; i++)
        for (size_t j = i; j > 0 && compare(at(v, j - 1), at(v, j)) > 0; j--)
            exchange(at(v, j - 1), at(v, j), v->size);
}

static int by_key(const void *a, const void *b)
{
    double x = ((const Item *)a)->key, y = ((const Item *)b)->key;
    return (x > y) - (x < y);
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double ranked(const double *x, int n)
{
    Vector items, numbers;
    begin(&items, sizeof(Item));
    begin(&numbers, sizeof(double));
    for (int i = 0; i < n; i++) {
        Item item = {i, sin(x[i]), x[i] * x[i]};
        double number = cos(3.0 * x[i]);
        push(&items, &item);
        push(&numbers, &number);
    }
    sort(&items, by_key);
    sort(&numbers, by_value);
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        const Item *item = at(&items, i);
        sum += (i + 1) * item->weight * item->key + i * i * *(double *)at(&numbers, i) + 1e-3 * item->tag * item->weight;
    }
    free(items.data);
    free(numbers.data);
    return sum;
}

int main(void)
{
    enum { N = 9 };
    double x[N], x_bar[N] = {0};
    int bad = 0;
    for (int i = 0; i < N; i++)
        x[i] = sin(5.0 * i + 1.0);
    __enzyme_autodiff((void *)ranked, enzyme_dup, x, x_bar, enzyme_const, N);
    for (int i = 0; i < N; i++) {
        double kept = x[i], h = 1e-6, x_dot[N] = {0};
        x_dot[i] = 1.0;
        double tangent = __enzyme_fwddiff((void *)ranked, enzyme_dup, x, x_dot, enzyme_const, N);
        x[i] = kept + h;
        double up = ranked(x, N);
        x[i] = kept - h;
        double down = ranked(x, N);
        x[i] = kept;
        bad |= !(fabs(x_bar[i] - (up - down) / (2.0 * h)) < 1e-6) || !(fabs(x_bar[i] - tangent) < 1e-12);
    }
    printf("%s\n", bad ? "wrong" : "right");
    return bad;
}
