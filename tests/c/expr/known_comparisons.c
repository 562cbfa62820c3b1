// Comparisons and arithmetic whose result is known after propagation: no warnings, and the right result.
#include "../check.h"
#include <limits.h>
#include <signal.h>

static int only_measured[6];
static int only_in_sizeof(void) { return 7; }
static int twice(int x) { return 2 * x; }
extern int check_missing_object[4];
int check_missing_object[4];

int main(int argc, char **argv)
{
    (void)argv;
    int x = 4, *p = &x, (*f)(int) = twice;
    CHECK(p && *p == 4);
    CHECK(f != 0 && f(2) == 4);
    CHECK(&check_missing_object[1] != 0);
    CHECK(sizeof only_measured == 6 * sizeof(int));
    CHECK(sizeof(only_in_sizeof()) == sizeof(int));

    unsigned one = (unsigned)argc;
    long wide = 1L << 32;
    CHECK(wide > one && (int)wide == 0);
    _Bool b = argc > 100;
    b |= 4;
    CHECK(b == 1);
    b = argc > 100;
    b += argc;
    CHECK(b == 1);

    int a = 2, c = 3, zero = 0;
    CHECK((a & c) == 2 && (a | c) == 3 && (a ^ c) == 1);
    CHECK(a - c == -1 && a * c == 6 && -7 / a == -3 && -7 % a == -1);
    CHECK(a << c == 16 && -8 >> zero == -8);
    unsigned u = 0;
    CHECK(u - 1 == UINT_MAX && ~u == UINT_MAX && -u == 0);
    CHECK((unsigned char)(a - c) == 255 && (signed char)200 == -56);

    unsigned steps = 0;
    for (unsigned i = 12; i != 0; i -= a + 1)
        steps++;
    CHECK(steps == 4);

    printf("%hhd %hu %hd\n", (signed char)-5, (unsigned short)65535, (short)argc);
    CHECK(signal(SIGUSR1, SIG_IGN) != SIG_ERR);
    if (argc > 1000)
        __builtin_abort();
    return check_done();
}
