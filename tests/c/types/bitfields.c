// Bit-fields: signed, unsigned, boolean, zero-width, wrapping.
#include "../check.h"
#include <stdbool.h>
#include <string.h>

struct status {
    unsigned ready : 1;
    unsigned mode : 3;
    signed delta : 5;
    unsigned : 2;
    unsigned level : 7;
    unsigned : 0;
    unsigned wide : 32;
    bool flag : 1;
    unsigned long long huge : 40;
    signed char small : 4;
};

static int decode(struct status s) { return (int)s.mode * 1000 + s.delta * 10 + (int)s.level; }
static void tick(struct status *s)
{
    s->mode++;
    s->delta--;
    s->level += 50;
    s->huge <<= 4;
    s->small = (signed char)(s->small + 1);
}

int main(void)
{
    struct status s;
    memset(&s, 0, sizeof s);
    s.ready = 1;
    s.mode = 6;
    s.delta = -15;
    s.level = 100;
    s.wide = 0xdeadbeef;
    s.flag = 4 > 2;
    s.huge = 0xabcdef0123ull;
    s.small = 7;
    CHECK(s.ready == 1 && s.delta == -15 && s.huge == 0xabcdef0123ull && s.flag);
    printf("%d %u %llx\n", decode(s), s.wide, (unsigned long long)s.huge);
    for (int i = 0; i < 3; i++)
        tick(&s);
    printf("%u %d %u %llx %d\n", s.mode, s.delta, s.level, (unsigned long long)s.huge, s.small);
    CHECK(s.mode == 1 && s.delta == 14 && s.level == (250 & 127));
    CHECK(s.small == -6);
    CHECK(s.mode - 2 < 0); // narrower than int, so promoted to int
    int thirteen = s.mode + 12, assigned = (s.mode = (unsigned)thirteen);
    CHECK(assigned == 5);
    s.delta = s.mode = 3;
    CHECK(s.delta == 3);
    struct status t = s, u = {.mode = 2, .delta = -1, .small = -8};
    t.ready ^= 1;
    CHECK(s.ready == 1 && t.ready == 0 && u.level == 0 && u.small == -8);
    CHECK(~s.ready == -2 && -s.mode == -3);
    return check_done();
}
