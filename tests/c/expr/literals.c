// Literals of every form.
#include "../check.h"

int main(void)
{
    CHECK(0x1F == 31 && 017 == 15 && 0b1011 == 11 && 0 == 00);
    CHECK(0xFFFFFFFF == 4294967295u && sizeof 0xFFFFFFFF == 4 && 0xFFFFFFFF > 0);
    CHECK(sizeof 4294967295 == 8 && sizeof 2147483647 == 4 && sizeof 2147483648 == 8);
    CHECK(sizeof 1l == 8 && sizeof 1u == 4 && sizeof 1uLL == 8 && 1Lu == 1);
    CHECK(0xFFFFFFFFFFFFFFFF == ~0ull);
    CHECK(9223372036854775807 == 0x7fffffffffffffffLL);
    CHECK(1e3 == 1000.0 && .5 == 0.5 && 5. == 5.0 && 1E-2 == 0.01 && 12.5e+1 == 125);
    CHECK(0x1p4 == 16.0 && 0x1.8p1 == 3.0 && 0xA.8p0 == 10.5 && 0x.1p4f == 1.0f);
    CHECK(sizeof 1.0f == 4 && sizeof 1.0 == 8 && sizeof 1.0L == 16);
    CHECK(0.1f != 0.1 && 1e-45f > 0 && 4.9e-324 > 0 && 1.7976931348623157e308 < 1e308 * 2);
    CHECK('\n' == 10 && '\t' == 9 && '\\' == 92 && '\'' == 39 && '\0' == 0 && '"' == 34);
    CHECK('\x41' == 'A' && '\101' == 'A' && '\7' == 7 && '\a' == 7 && '\b' == 8);
    CHECK('\v' == 11 && '\f' == 12 && '\r' == 13 && '\e' == 27 && '\?' == 63);
    CHECK(L'\u00e9' == 233 && u'\u20ac' == 0x20ac && U'\U0001F600' == 0x1F600);
    CHECK(L'x' == 120 && sizeof L'x' == 4 && sizeof u'x' == 2);
    printf("%d %o %x %.17g %.17g %a\n", 42, 0777, 0xCafe, 3.141592653589793, 1e-7, 0x1.8p+3);
    return check_done();
}
