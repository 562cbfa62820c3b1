// Integer promotions and the usual arithmetic conversions.
#include "../check.h"
#include <limits.h>

int main(void)
{
    unsigned char uc = 200, uc2 = 100;
    signed char sc = -5;
    unsigned short us = 65535;
    short ss = -1;
    unsigned u = 10;
    int i = -20;
    long l = -1;
    unsigned long ul = 1;

    CHECK(uc + uc2 == 300);            // computed in int
    CHECK((unsigned char)(uc + uc2) == 44);
    CHECK(us + 1 == 65536);
    CHECK(~uc == -201);
    CHECK(-uc == -200);
    CHECK(sizeof(uc + uc2) == sizeof(int));
    CHECK(sizeof(+sc) == sizeof(int));
    CHECK(sizeof(us << 1) == sizeof(int));
    CHECK(sizeof(u + l) == sizeof(long));
    CHECK(i + u > 0);                  // i becomes unsigned
    CHECK((i + u) == UINT_MAX - 9);
    CHECK((int)(i + u) == -10);
    CHECK(l < (long)ul);
    CHECK(!((unsigned long)l < ul));
    CHECK(ss == -1 && (unsigned short)ss == us);
    CHECK(sc * us == -327675);
    CHECK((sc < 0) && ((unsigned char)sc == 251));
    long long mixed = u * 1LL * i;
    CHECK(mixed == -200);
    unsigned long long wide = u - 11ULL;
    CHECK(wide == ULLONG_MAX);
    printf("%d %u %ld %llu\n", uc * uc2, i + u, l + u, wide);
    return check_done();
}
