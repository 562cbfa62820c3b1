// Loops whose conditions have side effects and short circuits.
#include "../check.h"

static int calls;
static int more(int *n) { calls++; return (*n)-- > 0; }

int main(void)
{
    int n = 5, s = 0;
    while (more(&n) && s < 10)
        s += n;
    CHECK(s == 10 && n == 0 && calls == 5);
    int v[] = {9, 8, 0, 7, 0, 6}, i = -1;
    while (++i < 6 && (v[i] || i < 3))
        s += v[i];
    CHECK(i == 4 && s == 34);
    int lo = 0, hi = 100, probes = 0;
    while (lo < hi) {
        int mid = lo + (hi - lo) / 2;
        if (probes++, mid * mid < 2000)
            lo = mid + 1;
        else
            hi = mid;
    }
    CHECK(lo == 45);
    for (int a = 0, b = 20; a < b && (a * b < 80 || a < 3); a++, b -= a % 2)
        s += a * b;
    printf("%d %d\n", s, probes);
    const char *p = "   trim me", *q = p;
    while (*q == ' ' && *++q)
        ;
    CHECK(q - p == 3);
    int c, letters = 0;
    while ((c = *q++) != '\0')
        letters += c != ' ';
    CHECK(letters == 6);
    int k = 0;
    do
        k += 3;
    while (k < 20 ? k % 7 : 0);
    CHECK(k == 21);
    for (int t = 0; !(t > 5 || (t == 4 && k == 21)); ++t)
        k += t == 4;
    return check_done();
}
