// Empty statements, empty structs, void expressions, discarded results.
#include "../check.h"

#pragma GCC diagnostic ignored "-Wempty-body"

struct empty {};
static int effects;
static int effect(void) { return ++effects; }
static void nothing(void) {}
static void forward_void(int c) { return c ? nothing() : (void)effect(); }

int main(void)
{
    ;;
    {}
    if (effects) ; else ;
    (void)0;
    (void)effect();
    effect();
    effect(), effect();
    forward_void(0);
    forward_void(1);
    CHECK(effects == 5);
    struct empty e1, e2 = e1;
    (void)e2;
    CHECK(sizeof(struct empty) == 0);
    for (;;) { { break; } }
    while (effect() < 8) ;
    CHECK(effects == 8);
    int x = 3;
    (void)(x == 4);
    (void)sizeof(x++);
    do ; while (0);
    if (x) nothing();
    (x > 2) ? nothing() : nothing();
    int *p = &x;
    (void)*p;
    void *v = p;
    CHECK(*(int *)v == 3);
    void (*f)(void) = nothing;
    f();
    (*f)();
    printf("%d\n", effects);
    return check_done();
}
