// Big integers in base 10^9: factorial, Fibonacci, e to many digits.
#include "../check.h"
#include <stdint.h>
#include <string.h>

#define LIMBS 32
typedef struct { uint32_t limb[LIMBS]; int used; } big;
static const uint32_t BASE = 1000000000;

static big from_int(uint32_t v) { return (big){.limb = {v}, .used = 1}; }
static void multiply(big *b, uint32_t m)
{
    uint64_t carry = 0;
    for (int i = 0; i < b->used; i++) {
        carry += (uint64_t)b->limb[i] * m;
        b->limb[i] = (uint32_t)(carry % BASE);
        carry /= BASE;
    }
    if (carry)
        b->limb[b->used++] = (uint32_t)carry;
}
static big add(big a, big b)
{
    big r = {.used = a.used > b.used ? a.used : b.used};
    uint32_t carry = 0;
    for (int i = 0; i < r.used; i++) {
        uint32_t s = a.limb[i] + b.limb[i] + carry;
        carry = s >= BASE;
        r.limb[i] = carry ? s - BASE : s;
    }
    if (carry)
        r.limb[r.used++] = 1;
    return r;
}
static uint32_t remainder_by(const big *b, uint32_t d)
{
    uint64_t r = 0;
    for (int i = b->used - 1; i >= 0; i--)
        r = (r * BASE + b->limb[i]) % d;
    return (uint32_t)r;
}
static void print(const big *b)
{
    printf("%u", b->limb[b->used - 1]);
    for (int i = b->used - 2; i >= 0; i--)
        printf("%09u", b->limb[i]);
    printf("\n");
}

int main(void)
{
    big f = from_int(1);
    for (uint32_t i = 2; i <= 100; i++)
        multiply(&f, i);
    print(&f);
    CHECK(remainder_by(&f, 101) == 100); // Wilson's theorem
    CHECK(f.limb[0] == 0 && f.limb[1] == 0);
    big a = from_int(0), b = from_int(1);
    for (int i = 0; i < 300; i++) {
        big t = add(a, b);
        a = b;
        b = t;
    }
    print(&a);
    int digits[60], e[52] = {0}; // the digits of e by a spigot
    for (int i = 0; i < 52; i++)
        e[i] = 1;
    for (int d = 0; d < 40; d++) {
        int carry = 0;
        for (int i = 51; i >= 0; i--) {
            int t = e[i] * 10 + carry;
            e[i] = t % (i + 2);
            carry = t / (i + 2);
        }
        digits[d] = carry;
    }
    char text[64] = "2.";
    for (int d = 0; d < 40; d++)
        text[2 + d] = (char)('0' + digits[d]);
    text[42] = 0;
    puts(text);
    CHECK(!strncmp(text, "2.71828182845904523536028747135266249775", 40));
    return check_done();
}
