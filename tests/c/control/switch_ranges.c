// GNU case ranges and switches over wide and unsigned types.
#include "../check.h"

static char class_of(int c)
{
    switch (c) {
    case 'a' ... 'z': return 'l';
    case 'A' ... 'Z': return 'u';
    case '0' ... '9': return 'd';
    case ' ': case '\t': return 's';
    case -128 ... -1: return 'n';
    default: return '?';
    }
}

static int wide(long long v)
{
    switch (v) {
    case 0x100000000LL: return 1;
    case -0x100000000LL: return 2;
    case 0: return 3;
    case 10000000000LL ... 20000000000LL: return 4;
    }
    return 0;
}

static int unsigned_switch(unsigned u)
{
    switch (u) {
    case 0u: return 0;
    case 4294967295u: return 1;
    case 3000000000u ... 3999999999u: return 2;
    default: return 3;
    }
}

static int byte_switch(unsigned char b)
{
    switch (b) { // promoted to int, so -1 never matches
    case 255: return 1;
    case 0 ... 9: return 2;
    default: return 0;
    }
}

int main(void)
{
    for (const char *p = "aZ5 \t#zA"; *p; p++)
        putchar(class_of(*p));
    putchar(class_of(-5));
    putchar('\n');
    CHECK(wide(4294967296LL) == 1 && wide(-4294967296LL) == 2 && wide(0) == 3);
    CHECK(wide(15000000000LL) == 4 && wide(7) == 0);
    CHECK(unsigned_switch(-1) == 1 && unsigned_switch(3500000000u) == 2 && unsigned_switch(9) == 3);
    CHECK(byte_switch((unsigned char)-1) == 1 && byte_switch(9) == 2 && byte_switch(10) == 0);
    return check_done();
}
