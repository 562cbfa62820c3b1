// typeof and __auto_type in declarations, casts and macros.
#include "../check.h"

#define SWAP(a, b) do { __typeof__(a) t_ = (a); (a) = (b); (b) = t_; } while (0)
#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define FOLD(a, op) ({ __auto_type r_ = (a)[0]; for (unsigned i_ = 1; i_ < COUNT(a); i_++) r_ = r_ op (a)[i_]; r_; })

struct pair { int a; double b; };

int main(void)
{
    int x = 1, y = 2;
    double d[] = {1.5, 2.5, 3.0};
    struct pair p = {1, 2}, q = {3, 4};
    SWAP(x, y);
    SWAP(p, q);
    CHECK(x == 2 && p.b == 4 && q.a == 1);
    typeof(x) z = 5;
    typeof(int *) pz = &z;
    typeof(*pz) w = *pz + 1;
    typeof(d) e = {1, 1, 1};
    typeof(p.b) member = 7;
    typeof(&p) pp = &p;
    CHECK(w == 6 && sizeof e == sizeof d && pp->a == 3 && sizeof member == 8);
    typeof(x++) same = 3; // not evaluated
    CHECK(x == 2 && same == 3);
    __auto_type sum = x + 1.5f;
    CHECK(sizeof sum == 4 && sum == 3.5f);
    __auto_type f = &main;
    CHECK(f != 0);
    CHECK(FOLD(d, +) == 7 && FOLD(d, *) == 11.25);
    typeof(int (*)(int)) fp = 0;
    CHECK(!fp);
    typeof(1 ? 1 : 2L) l = 1;
    printf("%zu %g\n", sizeof l, FOLD(d, -));
    return check_done();
}
