// sizeof of types and unevaluated expressions; _Alignof.
#include "../check.h"
#include <stddef.h>
#include <stdint.h>

struct s { char c; double d; short h; };
struct packed_order { double d; short h; char c; };
union u { char bytes[9]; int i; };
enum e { A, B };

static int calls;
static int called(void) { return ++calls; }

int main(void)
{
    CHECK(sizeof(char) == 1 && sizeof(short) == 2 && sizeof(int) == 4 && sizeof(long) == 8);
    CHECK(sizeof(float) == 4 && sizeof(double) == 8 && sizeof(long double) == 16);
    CHECK(sizeof(struct s) == 24 && sizeof(struct packed_order) == 16);
    CHECK(sizeof(union u) == 12 && sizeof(enum e) == 4);
    CHECK(sizeof(void *) == sizeof(intptr_t));
    int array[7][3];
    CHECK(sizeof array == 84 && sizeof array[0] == 12 && sizeof array / sizeof *array == 7);
    CHECK(sizeof "hello" == 6 && sizeof("a" "b") == 3);
    CHECK(sizeof called() == sizeof(int) && calls == 0);
    int n = 5;
    CHECK(sizeof(n++) == 4 && n == 5);
    char vla[n * 2];
    CHECK(sizeof vla == 10);
    CHECK(sizeof(int[n]) == 20);
    CHECK(_Alignof(double) == 8 && _Alignof(struct s) == 8 && _Alignof(char) == 1);
    CHECK(offsetof(struct s, h) == 16);
    CHECK(sizeof(1 ? 'a' : 2LL) == 8);
    CHECK(sizeof(&array) == 8 && sizeof(*&array) == 84);
    size_t total = sizeof(int) * 3 + sizeof n;
    vla[0] = 'x';
    printf("%zu %zu %c\n", total, sizeof(struct { int a; char b; }), vla[0]);
    return check_done();
}
