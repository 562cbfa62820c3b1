// Odd but valid declarations.
#include "../check.h"

#pragma GCC diagnostic ignored "-Wold-style-declaration"

; // an empty declaration at file scope
int typedef unsigned long const static_order_word;
static const short int signed unusual_order = -5;
long static int unsigned long jumbled = 7;
int a, *b = &a, c[2], (*d)(void), e(void), *f(void), (*g[2])(void), **(*h(int))[3];
extern int undefined_but_unused;
struct forward;
static struct forward *pointer_only;
typedef struct { int x; } same_name;
static same_name same_instance = {4};
enum { ONE = 1, };
static int values[] = {1, 2, 3, };
static struct { struct { int deep; } in; } chain = {{42}};
static int (redundant) = 3, ((more)) = 4;
static char const *const *volatile strange;
_Thread_local static int per_thread = 6;

int e(void) { return 11; }
int *f(void) { return c; }
int **(*h(int n))[3]
{
    static int **table[3];
    table[0] = &b;
    return n ? &table : 0;
}

int main(void)
{
    static_order_word w = 8;
    auto int automatic = 2;
    register int fast = 3;
    int same_name = 9; // hides the typedef
    d = e;
    g[1] = d;
    CHECK(unusual_order == -5 && jumbled == 7 && d() == 11 && (*g[1])() == 11);
    f()[1] = 5;
    a = 13;
    CHECK(c[1] == 5 && *b == 13 && ***(*h(1)) == 13);
    CHECK(w == 8 && automatic * fast == 6 && same_name == 9 && same_instance.x == 4);
    CHECK(pointer_only == 0 && strange == 0 && redundant + more == 7 && chain.in.deep == 42);
    CHECK(sizeof values == 12 && ONE == 1 && ++per_thread == 7);
    int x = 1, y = x + 1, z[y], *p = &z[y - 1];
    *p = x + y;
    CHECK(z[1] == 3);
    { ; ; { } ; }
    extern int a;
    int local_function(int);
    CHECK(local_function(a) == 14);
    printf("%d\n", per_thread);
    return check_done();
}

int local_function(int v) { return v + 1; }
;
