// Enums in structs, arrays indexed by enums, flags, as function types.
#include "../check.h"

typedef enum { ADD, SUB, MUL, OP_COUNT } op;
enum flags { NONE = 0, BOLD = 1, ITALIC = 2, UNDER = 4, ALL_FLAGS = 7 };
enum big { LARGE = 0x7fffffff, SMALL = -0x7fffffff - 1 };
enum wide { HUGE_VALUE = 0x100000000LL };

static const char *const symbols[OP_COUNT] = {[ADD] = "+", [SUB] = "-", [MUL] = "*"};
static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int mul(int a, int b) { return a * b; }
static int (*const operations[OP_COUNT])(int, int) = {add, sub, mul};
struct style { enum flags f : 4; enum { LEFT, RIGHT } side; };

static enum flags combine(enum flags a, enum flags b) { return (enum flags)(a | b); }
static op next_op(op o) { return (op)((o + 1) % OP_COUNT); }

int main(void)
{
    int v = 10;
    op o = ADD;
    for (int i = 0; i < 7; i++, o = next_op(o)) {
        printf("%d %s %d = ", v, symbols[o], i);
        v = operations[o](v, i);
        printf("%d\n", v);
    }
    enum flags f = combine(BOLD, UNDER);
    CHECK(f == 5 && (f & ITALIC) == 0 && (ALL_FLAGS & ~f) == ITALIC);
    f |= ITALIC;
    CHECK(f == ALL_FLAGS);
    struct style s = {BOLD, RIGHT};
    CHECK(s.side == 1 && s.f == BOLD);
    CHECK(LARGE + 1LL == 2147483648LL && SMALL < 0);
    CHECK(HUGE_VALUE == 4294967296LL && sizeof(HUGE_VALUE) == 8);
    int histogram[OP_COUNT] = {0};
    for (op k = ADD; k < OP_COUNT; k++)
        histogram[k] += (int)k * 2;
    CHECK(histogram[MUL] == 4);
    return check_done();
}
