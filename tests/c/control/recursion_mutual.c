// Mutual recursion, Ackermann, Hanoi, and tail calls.
#include "../check.h"

static int is_odd(unsigned n);
static int is_even(unsigned n) { return n == 0 ? 1 : is_odd(n - 1); }
static int is_odd(unsigned n) { return n == 0 ? 0 : is_even(n - 1); }

static unsigned ackermann(unsigned m, unsigned n)
{
    if (m == 0)
        return n + 1;
    if (n == 0)
        return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}

static int moves;
static void hanoi(int n, int from, int to, int via)
{
    if (n == 0)
        return;
    hanoi(n - 1, from, via, to);
    moves += from * to;
    hanoi(n - 1, via, to, from);
}

static double female(int n);
static double male(int n) { return n == 0 ? 0 : n - female((int)male(n - 1)); }
static double female(int n) { return n == 0 ? 1 : n - male((int)female(n - 1)); }

static long gcd(long a, long b) { return b ? gcd(b, a % b) : a; }
static int mccarthy(int n) { return n > 100 ? n - 10 : mccarthy(mccarthy(n + 11)); }

int main(void)
{
    CHECK(is_even(100) && is_odd(77) && !is_even(13));
    CHECK(ackermann(2, 3) == 9 && ackermann(3, 4) == 125);
    hanoi(8, 1, 3, 2);
    printf("%d\n", moves);
    for (int i = 0; i < 12; i++)
        printf("%g %g ", male(i), female(i));
    printf("\n");
    CHECK(gcd(1234567890, 987654321) == 9);
    CHECK(mccarthy(50) == 91);
    return check_done();
}
