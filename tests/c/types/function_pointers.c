// Function pointers: tables, callbacks, returned, in structs, arrays of.
#include "../check.h"
#include <string.h>

typedef double (*unary)(double);
static double twice(double x) { return 2 * x; }
static double square(double x) { return x * x; }
static double inverse(double x) { return 1 / x; }

static unary choose(const char *name)
{
    static const struct { const char *name; unary f; } table[] = {
        {"twice", twice}, {"square", square}, {"inverse", &inverse}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (strcmp(table[i].name, name) == 0)
            return table[i].f;
    return NULL;
}
static double (*compose_pick(int which))(double) { return which ? square : twice; }

static double apply(double (*f)(double), double x, int times)
{
    while (times-- > 0)
        x = f(x);
    return x;
}

struct machine { int state; int (*step)(struct machine *, int); };
static int add_step(struct machine *m, int v) { return m->state += v; }
static int xor_step(struct machine *m, int v);
static int add_step2(struct machine *m, int v) { m->step = xor_step; return add_step(m, v * 2); }
static int xor_step(struct machine *m, int v) { m->step = add_step2; return m->state ^= v; }

static void each(const int *v, int n, void (*visit)(int, void *), void *context)
{
    for (int i = 0; i < n; i++)
        visit(v[i], context);
}
static void sum_into(int v, void *c) { *(long *)c += v; }
static void max_into(int v, void *c) { int *m = c; if (v > *m) *m = v; }

int main(void)
{
    CHECK(choose("square")(3) == 9 && choose("nothing") == NULL);
    CHECK(apply(choose("twice"), 1, 10) == 1024);
    CHECK(compose_pick(1)(4) == 16 && (*compose_pick(0))(4) == 8 && (**inverse)(4) == 0.25);
    unary chain[] = {twice, square, inverse, 0};
    double x = 3;
    for (unary *f = chain; *f; f++)
        x = (*f)(x);
    printf("%.17g\n", x);
    struct machine m = {1, add_step2};
    for (int i = 1; i <= 6; i++)
        printf("%d ", m.step(&m, i));
    printf("\n");
    int v[] = {3, 9, -2, 5}, biggest = -100;
    long total = 0;
    each(v, 4, sum_into, &total);
    each(v, 4, max_into, &biggest);
    CHECK(total == 15 && biggest == 9);
    int (*comparators[2])(const char *, const char *) = {strcmp, NULL};
    CHECK(comparators[0]("a", "b") < 0 && !comparators[1]);
    unary swap = chain[0];
    chain[0] = chain[1];
    chain[1] = swap;
    CHECK(chain[0] == square && chain[0] != twice);
    return check_done();
}
