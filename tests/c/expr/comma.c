// The comma operator: order, value, and in for headers and arguments.
#include "../check.h"

static int trace[32], traced;
static int note(int v) { trace[traced++] = v; return v; }

int main(void)
{
    int x = (note(1), note(2), note(3));
    CHECK(x == 3 && traced == 3 && trace[0] == 1 && trace[1] == 2);
    int a, b;
    a = 1, b = 2;
    CHECK(a == 1 && b == 2);
    for (a = 0, b = 10; a < b; a++, b--)
        note(a * 100 + b);
    CHECK(a == 5 && b == 5);
    int array[4] = {10, 20, 30, 40};
    CHECK(array[(note(0), 2)] == 30);
    CHECK((x++, x + 1) == 5);
    int y = (x = 7, x += 2, x) * 2;
    CHECK(y == 18);
    if ((a = 3, b = 0, a && !b))
        note(-1);
    while (note(9), a-- > 0)
        b += a;
    CHECK(b == 3 && a == -1);
    y = a ? (b++, b) : (b--, -b);
    CHECK(y == 4);
    for (int i = 0; i < traced; i++)
        printf("%d ", trace[i]);
    printf("\n");
    return check_done();
}
