// Blocks that begin with a struct and go on with numbers, which are copied as a whole: the numbers lie behind the struct, whatever the pointers to them were declared as before.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int enzyme_const, enzyme_dup;
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

struct head {
    double scale;
    size_t count, stride;
};
struct named {
    char *name;
    double scale;
    int count;
};
struct series {
    struct head *head;
};
struct table {
    struct named *head;
};

static double *numbers(const struct series *s) { return (double *)&s->head[1]; }
static double *entries(const struct table *t) { return (double *)(t->head + 1); }

// Through a function that makes the address.
static double through_function(double *x, int n)
{
    struct series s;
    double sum;
    s.head = malloc(sizeof *s.head + (size_t)n * sizeof(double));
    if (!s.head)
        return 0;
    s.head->scale = x[0];
    s.head->count = (size_t)n;
    s.head->stride = 1;
    memcpy(numbers(&s), x, (size_t)n * sizeof(double));
    sum = s.head->scale;
    for (size_t i = 0; i < s.head->count; i += s.head->stride)
        sum += (double)(i + 1) * numbers(&s)[i] * numbers(&s)[i];
    free(s.head);
    return sum;
}

// The address keeps the type of the struct.
static double without_cast(double *x, int n)
{
    struct head *h = malloc(sizeof *h + (size_t)n * sizeof(double));
    double sum = 0;
    if (!h)
        return 0;
    h->scale = sin(x[0]);
    memcpy(h + 1, x, (size_t)n * sizeof(double));
    const double *behind = (const double *)(h + 1);
    for (int i = 0; i < n; i++)
        sum += h->scale * behind[i] * behind[n - 1 - i];
    free(h);
    return sum;
}

// A pointer lies in the struct.
static double with_pointer(double *x, int n)
{
    struct table t;
    double sum = 0, back[8];
    t.head = malloc(sizeof *t.head + (size_t)n * sizeof(double));
    if (!t.head)
        return 0;
    t.head->name = NULL;
    t.head->scale = x[1];
    t.head->count = n;
    memmove(entries(&t), x, (size_t)n * sizeof(double));
    for (int i = 1; i < t.head->count; i++)
        entries(&t)[i] += t.head->scale * entries(&t)[i - 1];
    memcpy(back, entries(&t), (size_t)n * sizeof(double));
    for (int i = 0; i < n; i++)
        sum += back[i] * back[i];
    free(t.head);
    return sum;
}

enum { N = 8 };

static void fill(double *x)
{
    for (int i = 0; i < N; i++)
        x[i] = cos(1.3 * i) + 0.2 * i;
}

static int check(const char *name, double (*f)(double *, int), const double *reverse, const double *forward)
{
    double x[N];
    int bad = 0;
    fill(x);
    for (int i = 0; i < N; i++) {
        const double middle = x[i], h = 1e-5;
        x[i] = middle + h;
        double above = f(x, N);
        x[i] = middle - h;
        double difference = (above - f(x, N)) / (2 * h);
        x[i] = middle;
        if (!(fabs(reverse[i] - difference) < 1e-6 * (1 + fabs(difference))) || !(fabs(reverse[i] - forward[i]) < 1e-11 * (1 + fabs(forward[i])))) {
            printf("%s, %d: %g %g, not %g\n", name, i, reverse[i], forward[i], difference);
            bad = 1;
        }
    }
    return bad;
}

#define CHECK(f)                                                                                 \
    do {                                                                                         \
        double x[N], reverse[N] = {0}, forward[N];                                               \
        fill(x);                                                                                 \
        __enzyme_autodiff((void *)f, enzyme_dup, x, reverse, enzyme_const, N);                   \
        for (int i = 0; i < N; i++) {                                                            \
            double d[N] = {0};                                                                   \
            d[i] = 1;                                                                            \
            forward[i] = __enzyme_fwddiff((void *)f, enzyme_dup, x, d, enzyme_const, N);         \
        }                                                                                        \
        bad |= check(#f, f, reverse, forward);                                                   \
    } while (0)

int main(void)
{
    int bad = 0;
    CHECK(through_function);
    CHECK(without_cast);
    CHECK(with_pointer);
    return bad;
}
