// Tags, typedefs and enums declared in inner scopes, shadowing outer ones.
#include "../check.h"

struct s { int a; };
typedef int number;
enum { LIMIT = 10 };

static int scopes(void)
{
    struct s { double a; char b; };
    struct s local = {1.5, 'x'};
    typedef double number;
    number n = 0.25;
    enum { LIMIT = 20 };
    int r = (int)((local.a + n) * 100) + LIMIT;
    {
        struct s;
        struct s { short a[3]; };
        struct s inner = {{1, 2, 3}};
        enum color { RED = 7 } c = RED;
        typedef char number;
        r += inner.a[2] + c + (int)sizeof(number);
    }
    struct pair { int i, j; };
    for (struct pair p = {0, 5}; p.i < p.j; p.i++, p.j--)
        r += p.j;
    return r;
}

static int parameter_shadow(int LIMIT) { return LIMIT + 1; }

int main(void)
{
    struct s outer = {3};
    number k = 7;
    int s = 4; // a tag and a variable of one name live apart
    CHECK(scopes() == 175 + 20 + 3 + 7 + 1 + 12);
    CHECK(outer.a == 3 && k / 2 == 3 && LIMIT == 10);
    CHECK(parameter_shadow(1) == 2);
    struct s *next = &outer;
    next->a += s;
    {
        int outer = 1;
        { int outer = 2; s += outer; }
        s += outer;
    }
    CHECK(s == 7 && outer.a == 7);
    printf("%d %d\n", scopes(), outer.a);
    return check_done();
}
