// X-macros, token pasting, stringification, variadic macros.
#include "../check.h"
#include <string.h>

#define COLORS(X) X(RED, 255, 0, 0) X(GREEN, 0, 255, 0) X(BLUE, 0, 0, 255) X(GRAY, 128, 128, 128)

#define AS_ENUM(name, r, g, b) COLOR_##name,
enum color { COLORS(AS_ENUM) COLOR_COUNT };
#define AS_NAME(name, r, g, b) [COLOR_##name] = #name,
static const char *const names[] = {COLORS(AS_NAME)};
#define AS_VALUE(name, r, g, b) (r) << 16 | (g) << 8 | (b),
static const int values[] = {COLORS(AS_VALUE)};
#define AS_CASE(name, r, g, b) case COLOR_##name: return (r) + (g) + (b);
static int brightness(enum color c)
{
    switch (c) {
        COLORS(AS_CASE)
    default: return -1;
    }
}
#define AS_GETTER(name, r, g, b) static int get_##name##_red(void) { return r; }
COLORS(AS_GETTER)

#define STRING_(x) #x
#define STRING(x) STRING_(x)
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define VERSION 3
#define COUNT_ARGS(...) COUNT_(__VA_ARGS__, 5, 4, 3, 2, 1)
#define COUNT_(a, b, c, d, e, n, ...) n
#define PRINT(format, ...) printf(format "\n", ##__VA_ARGS__)
#define MAX3(a, b, c) ((a) > (b) ? (a) > (c) ? (a) : (c) : (b) > (c) ? (b) : (c))
#define EMPTY
#define DEFER(x) x EMPTY
#define MEMBER(type, name) type name;
struct generated { MEMBER(int, a) MEMBER(double, b) };

int main(void)
{
    for (int c = 0; c < COLOR_COUNT; c++)
        printf("%s %06x %d\n", names[c], values[c], brightness((enum color)c));
    CHECK(get_RED_red() == 255 && get_BLUE_red() == 0 && get_GRAY_red() + get_GREEN_red() == 128);
    CHECK(!strcmp(STRING(VERSION), "3") && !strcmp(STRING_(VERSION), "VERSION"));
    int JOIN(variable, VERSION) = 7;
    CHECK(variable3 == 7);
    CHECK(COUNT_ARGS(a) == 1 && COUNT_ARGS(a, b, c) == 3);
    PRINT("no arguments");
    PRINT("%d %s", 5, STRING(a "b" \n));
    CHECK(MAX3(3, 9, 4) == 9);
    struct generated g = {1, 2.5};
    CHECK(DEFER(g.b) == 2.5);
#undef VERSION
#define VERSION 4
    CHECK(VERSION == 4);
#if defined(VERSION) && VERSION > 3 && !defined(NOTHING) && ('a' < 'b')
    PRINT("conditional");
#elif 1
    PRINT("wrong");
#else
#error unreachable
#endif
    return check_done();
}
