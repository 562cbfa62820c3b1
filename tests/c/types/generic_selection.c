// flags: -lm
// _Generic over arithmetic types, pointers and qualified types.
#include "../check.h"
#include <math.h>
#include <string.h>

#define TYPE_NAME(x) _Generic((x), _Bool: "bool", char: "char", signed char: "schar", \
    unsigned char: "uchar", short: "short", unsigned short: "ushort", int: "int", \
    unsigned: "uint", long: "long", unsigned long: "ulong", long long: "llong", \
    unsigned long long: "ullong", float: "float", double: "double", long double: "ldouble", \
    char *: "string", const char *: "const string", int *: "int pointer", void *: "pointer", \
    default: "other")
#define SQRT(x) _Generic((x), float: sqrtf, long double: sqrtl, default: sqrt)(x)
#define IS_POINTER(x) _Generic((x), void *: 1, int *: 1, double *: 1, default: 0)

struct s { int a; };
static int of_int(int x) { return x + 1; }
static int of_double(double x) { return (int)(x * 10); }
#define DISPATCH(x) _Generic((x), int: of_int, double: of_double)(x)

int main(void)
{
    char c = 'a';
    short h = 1;
    const int ci = 3;
    int array[3] = {0};
    struct s s = {1};
    const char *names[] = {TYPE_NAME(c), TYPE_NAME('a'), TYPE_NAME(h), TYPE_NAME(h + h), TYPE_NAME(1u),
        TYPE_NAME(1L), TYPE_NAME(1ull), TYPE_NAME(1.0f), TYPE_NAME(1.0f * 2), TYPE_NAME(1.0f * 2.0),
        TYPE_NAME(1.0L), TYPE_NAME("x"), TYPE_NAME((const char *)0), TYPE_NAME(array), TYPE_NAME(&c),
        TYPE_NAME((void *)0), TYPE_NAME(s), TYPE_NAME((_Bool)1), TYPE_NAME(ci), TYPE_NAME(h << 1L),
        TYPE_NAME(1 ? 1 : 2u), TYPE_NAME(c == c), TYPE_NAME(sizeof c)};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        printf("%s ", names[i]);
    printf("\n");
    CHECK(SQRT(16.0f) == 4.0f && SQRT(25) == 5.0 && SQRT(2.25L) == 1.5L);
    CHECK(sizeof SQRT(1.0f) == 4 && sizeof SQRT(1) == 8);
    CHECK(DISPATCH(4) == 5 && DISPATCH(4.5) == 45);
    CHECK(IS_POINTER(array) && !IS_POINTER(1) && IS_POINTER((double *)0));
    CHECK(strcmp(TYPE_NAME(ci), "int") == 0);
    return check_done();
}
