// while, do-while and for in their plain forms.
#include "../check.h"

int main(void)
{
    int sum = 0, i = 0;
    while (i < 10) {
        sum += i;
        i++;
    }
    CHECK(sum == 45);
    do {
        sum -= i--;
    } while (i > 0);
    CHECK(sum == -10);
    do
        sum++;
    while (0);
    CHECK(sum == -9);
    for (i = 0; i < 5; ++i)
        sum += i * i;
    CHECK(sum == 21 && i == 5);
    for (;;) {
        if (++i > 20)
            break;
    }
    CHECK(i == 21);
    for (; i > 0; i -= 7)
        ;
    CHECK(i == 0);
    int n = 27, steps = 0;
    while (n != 1) {
        n = n & 1 ? 3 * n + 1 : n / 2;
        steps++;
    }
    CHECK(steps == 111);
    double x = 1, previous;
    do {
        previous = x;
        x = 0.5 * (x + 2 / x);
    } while (x != previous);
    printf("%.15g %d\n", x, steps);
    for (int a = 0, b = 1, t; a < 1000; t = a + b, a = b, b = t)
        printf("%d ", a);
    printf("\n");
    while (0)
        CHECK(0);
    return check_done();
}
