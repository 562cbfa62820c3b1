// Enumerators as integers: negative, computed and duplicate values.
#include "../check.h"

enum color { RED, GREEN = 5, BLUE, CYAN = BLUE + 10, LIME = GREEN };
enum { NEGATIVE = -3, NEXT, ZERO_MINUS_ONE, ZERO };
enum mask { BIT0 = 1 << 0, BIT1 = 1 << 1, BIT4 = 1 << 4, ALL = BIT0 | BIT1 | BIT4 };
typedef enum day { MON = 1, TUE, WED, THU, FRI, SAT, SUN } day;

static day next(day d) { return d == SUN ? MON : d + 1; }
static const char *name(enum color c)
{
    switch (c) {
    case RED: return "red";
    case GREEN: return "green";
    case BLUE: return "blue";
    case CYAN: return "cyan";
    }
    return "?";
}

int main(void)
{
    CHECK(BLUE == 6 && CYAN == 16 && LIME == GREEN);
    CHECK(NEXT == -2 && ZERO == 0 && ZERO_MINUS_ONE == -1);
    CHECK(ALL == 19);
    unsigned m = ALL & ~BIT1;
    CHECK(m == 17);
    day d = FRI;
    int steps = 0;
    while (d != TUE) {
        d = next(d);
        steps++;
    }
    CHECK(steps == 4);
    enum color c = (enum color)(GREEN + 1);
    printf("%s %s %d\n", name(c), name((enum color)3), c * 2);
    int table[SUN + 1] = {[MON] = 10, [SUN] = 70};
    CHECK(table[7] == 70 && sizeof table == 32);
    double scaled = FRI * 0.5;
    CHECK(scaled == 2.5);
    d = MON;
    d++;
    d += 2;
    CHECK(d == THU);
    return check_done();
}
