// Constant expressions in every place that needs one.
#include "../check.h"

#define SQUARE(x) ((x) * (x))
enum { N = 3, M = SQUARE(N) + 1, K = N > 2 ? 7 : 8, L = sizeof(int) * 2, C = 'A' + 1 };
static int table[M - 4] = {[N] = K, [0] = -N % 2};
static double ratio = 1.0 / 3 * 3 - (1 << 2);
static const unsigned long mask = ~0ul >> (64 - 12);
static int *address = &table[N - 1];
static const char *tail = "abcdef" + 3;
static long difference = (long)(8 * 1024L * 1024 / 7);
static unsigned wrapped = 0u - 1;
static int logical = (5 && 0) || !3 || 1;
static float f = (float)1e10 / 4;
static long long shifted = -1LL * (1LL << 40);
struct bits { unsigned a : N + 1; int b : 2 * N; };
_Static_assert(M == 10, "computed enumerator");
_Static_assert((char)300 == 44 && (unsigned char)-1 == 255, "casts fold");

int main(void)
{
    CHECK(sizeof table == 24 && table[3] == 7 && table[0] == -1);
    CHECK(ratio == -3.0);
    CHECK(mask == 0xfff);
    *address = 5;
    CHECK(table[2] == 5);
    CHECK(tail[0] == 'd');
    CHECK(wrapped == 4294967295u && logical == 1 && difference == 1198372);
    CHECK(f == 2.5e9f && shifted == -1099511627776LL);
    struct bits b = {15, -32};
    CHECK(b.a == 15 && b.b == -32);
    int r = 0;
    switch ((int)M) {
    case N * 2: r = 1; break;
    case (N << 1) + 4: r = 2; break;
    case 'a' - 90: r = 3; break;
    }
    CHECK(r == 2 && C == 'B' && L == 8);
    printf("%d %.17g %lu\n", r, ratio, mask);
    return check_done();
}
