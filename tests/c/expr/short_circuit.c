// &&, || and ?: evaluate only what they must, in order.
#include "../check.h"

static char log_text[64];
static int log_length;
static int yes(char c) { log_text[log_length++] = c; return 1; }
static int no(char c) { log_text[log_length++] = c; return 0; }
static double value(char c, double v) { log_text[log_length++] = c; return v; }

int main(void)
{
    int r;
    r = yes('a') && no('b') && yes('c');
    CHECK(r == 0);
    r = no('d') || no('e') || yes('f') || yes('g');
    CHECK(r == 1);
    r = (yes('h') && no('i')) || (no('j') || yes('k'));
    CHECK(r == 1);
    r = no('l') && (yes('m') || yes('n'));
    CHECK(r == 0);
    r = yes('o') ? (no('p') ? 1 : 2) : (yes('q') ? 3 : 4);
    CHECK(r == 2);
    double d = value('r', 0.0) || value('s', 0.5);
    CHECK(d == 1.0);
    d = value('t', 2.5) ?: value('u', 3.5); // the GNU form evaluates its condition once
    CHECK(d == 2.5);
    int *p = 0, x = 4;
    CHECK(!(p && *p == 4));
    p = &x;
    CHECK(p && *p == 4);
    r = x > 3 && x++ < 5 && x == 5;
    CHECK(r && x == 5);
    r = !(x - 5) + !!x;
    CHECK(r == 2);
    r = 0 ?: x;
    CHECK(r == 5);
    if (!(no('v') || !yes('w')))
        yes('x');
    printf("%.*s\n", log_length, log_text);
    return check_done();
}
