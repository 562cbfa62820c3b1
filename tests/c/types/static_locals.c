// Static locals keep state; each function and block has its own.
#include "../check.h"

static int counter(void) { static int n = 100; return n++; }
static double running_mean(double x)
{
    static double total;
    static int count = 0;
    total += x;
    return total / ++count;
}
static const int *history(int v)
{
    static int ring[4] = {-1, -1, -1, -1}, at;
    ring[at++ % 4] = v;
    return ring;
}
static int blocks(int which)
{
    if (which) {
        static int x = 1;
        return x *= 2;
    } else {
        static int x = 1;
        return x *= 3;
    }
}
static unsigned random_next(void)
{
    static unsigned state = 12345;
    state = state * 1103515245u + 12345u;
    return state >> 16 & 0x7fff;
}
static int fibonacci(int n)
{
    static int memo[50];
    if (n < 2)
        return n;
    if (memo[n])
        return memo[n];
    return memo[n] = fibonacci(n - 1) + fibonacci(n - 2);
}

int main(void)
{
    CHECK(counter() == 100 && counter() == 101 && counter() == 102);
    running_mean(1);
    running_mean(2);
    CHECK(running_mean(6) == 3);
    for (int i = 0; i < 6; i++)
        history(i * 10);
    const int *h = history(99);
    printf("%d %d %d %d\n", h[0], h[1], h[2], h[3]);
    for (int i = 0; i < 3; i++) {
        blocks(1);
        blocks(0);
    }
    CHECK(blocks(1) == 16 && blocks(0) == 81);
    for (int i = 0; i < 5; i++)
        printf("%u ", random_next());
    printf("\n");
    CHECK(fibonacci(40) == 102334155);
    static struct { int a; double b; } s = {.b = 2.5};
    s.a++;
    CHECK(s.a == 1 && s.b == 2.5);
    return check_done();
}
