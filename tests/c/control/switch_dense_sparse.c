// Large dense and sparse switches, and a case in an inner block.
#include "../check.h"

static int dense(int op, int a, int b)
{
    switch (op) {
    case 0: return a + b;
    case 1: return a - b;
    case 2: return a * b;
    case 3: return b ? a / b : 0;
    case 4: return b ? a % b : 0;
    case 5: return a & b;
    case 6: return a | b;
    case 7: return a ^ b;
    case 8: return ~a;
    case 9: return -a;
    case 10: return a << (b & 7);
    case 11: return a >> (b & 7);
    case 12: return a < b;
    case 13: return a == b;
    case 14: return !a;
    case 15: return a && b;
    }
    return -999;
}

static int sparse(int code)
{
    int r = 0;
    switch (code) {
    case 200: r = 1; break;
    case 404: r = 2; break;
    case 500: { int t = code; r = t / 100; break; }
    case -1: r = 4; break;
    case 1000000: r = 6; break;
    case -2147483647 - 1: r = 7; break;
    case 2147483647: r = 8; break;
    default:
        if (code > 0) {
    case 0:
            r = 9; // reached from the default branch or directly
        } else
            r = 10;
    }
    return r;
}

int main(void)
{
    long long check = 0;
    for (int op = 0; op <= 16; op++)
        for (int a = 0; a <= 20; a += 4)
            for (int b = 0; b <= 6; b += 3)
                check = check * 7 % 1000003 + dense(op, a, b);
    printf("%lld\n", check);
    int codes[] = {200, 404, 500, -1, 1000000, -2147483647 - 1, 2147483647, 0, 5, -5};
    for (int i = 0; i < 10; i++)
        printf("%d ", sparse(codes[i]));
    printf("\n");
    CHECK(sparse(0) == 9 && sparse(5) == 9 && sparse(-5) == 10 && sparse(500) == 5);
    return check_done();
}
