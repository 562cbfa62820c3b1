// K&R definitions, inline functions, unnamed and omitted parameters.
#include "../check.h"

static int add(a, b)
int a, b;
{
    return a + b;
}

static double scale(x, n, factor)
double x;
short n;
float factor;
{
    return x * n * factor;
}

static int no_prototype() { return 7; }
static inline int squared(int x) { return x * x; }
static inline __attribute__((always_inline)) double lerp(double a, double b, double t) { return a + (b - a) * t; }
extern inline __attribute__((gnu_inline)) int external(int x);
extern inline __attribute__((gnu_inline)) int external(int x) { return x + 1; }
int external(int x) { return x + 1; }
static int ignore(int used, int unused __attribute__((unused))) { return used; }
static _Noreturn void never(void);
static int (parenthesised)(int x) { return x - 1; }
static void never(void) { for (;;) ; }
static int *(returns_pointer)(int *p) { return p + 1; }

int main(argc, argv)
int argc;
char **argv;
{
    CHECK(argc == 1 && argv[argc] == 0);
    CHECK(add(2, 3) == 5 && add(-1, 1) == 0);
    CHECK(scale(2.0, 3, 1.5) == 9.0);
    CHECK(no_prototype() == 7 && squared(5) == 25 && lerp(1, 3, 0.5) == 2);
    CHECK(external(1) == 2 && ignore(4, 5) == 4 && (parenthesised)(3) == 2 && parenthesised(4) == 3);
    int v[2] = {1, 2};
    CHECK(*returns_pointer(v) == 2);
    if (argc > 1000)
        never();
    printf("%d\n", (*squared)(6));
    return check_done();
}
