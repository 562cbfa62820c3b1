// Deeply nested expressions, blocks and parentheses.
#include "../check.h"

#define P10(x) ((((((((((x))))))))))
#define DOUBLE(x) ((x) + (x))
#define DOUBLE4(x) DOUBLE(DOUBLE(DOUBLE(DOUBLE(x))))

static int deep(int x)
{
    if (x > 0) { if (x > 1) { if (x > 2) { if (x > 3) { if (x > 4) { if (x > 5) { if (x > 6) {
        for (int i = 0; i < 2; i++) { while (x > 7) { do { { { { x--; } } } } while (0); } }
        return x * 2;
    } return 6; } return 5; } return 4; } return 3; } return 2; } return 1; }
    return 0;
}

int main(void)
{
    CHECK(P10(P10(5)) == 5);
    CHECK(DOUBLE4(3) == 48);
    for (int i = 0; i < 12; i++)
        printf("%d ", deep(i));
    printf("\n");
    int a = 1, b = 2, c = 3, d = 4;
    int r = ((a + b) * (c - d) - ((a - b) * (c + d)) + (((a * b) + (c * d)) << ((a | b) & (c ^ d))) - ~(a ^ (b & (c | d))));
    printf("%d\n", r);
    int t = a ? b ? c ? d ? 1 : 2 : 3 : 4 : 5;
    CHECK(t == 1);
    t = !a ? 1 : !b ? 2 : !c ? 3 : d - 4 ? 4 : (a++, b++, c++, d) ? 5 : 6;
    CHECK(t == 5);
    double x = 1.0 + 1.0 / (1.0 + 1.0 / (1.0 + 1.0 / (1.0 + 1.0 / (1.0 + 1.0 / (1.0 + 1.0)))));
    printf("%.15g\n", x);
    return check_done();
}
