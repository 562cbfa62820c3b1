// Loops that only return leaves, breaks of both kinds, and unreachable tails.
#include "../check.h"

static int parse(const char *s, int *value)
{
    int sign = 1, v = 0, state = 0;
    for (;;) {
        char c = *s++;
        switch (state) {
        case 0:
            if (c == ' ')
                break;
            state = 1;
            if (c == '-') {
                sign = -1;
                break;
            }
            if (c == '+')
                break;
            /* fall through */
        case 1:
            if (c < '0' || c > '9')
                return -1;
            state = 2;
            /* fall through */
        case 2:
            if (c == '\0' || c == ' ') {
                *value = sign * v;
                return 0;
            }
            if (c < '0' || c > '9')
                return -2;
            v = v * 10 + (c - '0');
        }
    }
}

static int spin(int n)
{
    while (1) {
        do {
            n--;
            if (n < -5)
                return n;
            if (n % 2)
                break;
            n -= 2;
        } while (n > 10);
        n--;
    }
}

int main(void)
{
    int v = 0;
    CHECK(parse("  -123 ", &v) == 0 && v == -123);
    CHECK(parse("+77", &v) == 0 && v == 77);
    CHECK(parse("x", &v) == -1 && parse("12x", &v) == -2);
    printf("%d %d\n", spin(30), spin(7));
    return check_done();
}
