// An arbitrary-precision signed integer calculator over reverse Polish input.
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    uint32_t *limb; // base 2^32, least significant first
    int used, capacity;
    int negative;
} bignum;

static long live;

static void reserve(bignum *b, int n)
{
    if (n <= b->capacity)
        return;
    if (!b->limb)
        live++;
    b->limb = realloc(b->limb, (size_t)n * sizeof *b->limb);
    if (!b->limb)
        exit(2);
    b->capacity = n;
}

static void clear(bignum *b)
{
    if (b->limb)
        live--;
    free(b->limb);
    *b = (bignum){0};
}

static void trim(bignum *b)
{
    while (b->used > 0 && b->limb[b->used - 1] == 0)
        b->used--;
    if (b->used == 0)
        b->negative = 0;
}

static void assign(bignum *to, const bignum *from)
{
    reserve(to, from->used > 0 ? from->used : 1);
    if (from->used > 0)
        memmove(to->limb, from->limb, (size_t)from->used * sizeof *to->limb);
    to->used = from->used;
    to->negative = from->negative;
}

static void set_small(bignum *b, uint32_t v)
{
    reserve(b, 1);
    b->limb[0] = v;
    b->used = v != 0;
    b->negative = 0;
}

static void multiply_small(bignum *b, uint32_t m, uint32_t add)
{
    uint64_t carry = add;
    for (int i = 0; i < b->used; i++) {
        carry += (uint64_t)b->limb[i] * m;
        b->limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry) {
        reserve(b, b->used + 1);
        b->limb[b->used++] = (uint32_t)carry;
    }
}

static uint32_t divide_small(bignum *b, uint32_t d)
{
    uint64_t r = 0;
    for (int i = b->used - 1; i >= 0; i--) {
        r = r << 32 | b->limb[i];
        b->limb[i] = (uint32_t)(r / d);
        r %= d;
    }
    trim(b);
    return (uint32_t)r;
}

static int compare_magnitude(const bignum *a, const bignum *b)
{
    if (a->used != b->used)
        return a->used < b->used ? -1 : 1;
    for (int i = a->used - 1; i >= 0; i--)
        if (a->limb[i] != b->limb[i])
            return a->limb[i] < b->limb[i] ? -1 : 1;
    return 0;
}

static void add_magnitude(bignum *r, const bignum *a, const bignum *b)
{
    if (a->used < b->used) {
        const bignum *t = a;
        a = b;
        b = t;
    }
    int n = a->used, m = b->used;
    reserve(r, n + 1);
    uint64_t carry = 0;
    for (int i = 0; i < n; i++) {
        carry += (uint64_t)a->limb[i] + (i < m ? b->limb[i] : 0);
        r->limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
    r->limb[n] = (uint32_t)carry;
    r->used = n + 1;
}

static void subtract_magnitude(bignum *r, const bignum *a, const bignum *b) // |a| >= |b|
{
    int n = a->used, m = b->used;
    int64_t borrow = 0;
    reserve(r, n > 0 ? n : 1);
    for (int i = 0; i < n; i++) {
        int64_t d = (int64_t)a->limb[i] - (i < m ? b->limb[i] : 0) + borrow;
        r->limb[i] = (uint32_t)d;
        borrow = d < 0 ? -1 : 0;
    }
    r->used = n;
}

static void add_signed(bignum *r, const bignum *a, const bignum *b, int negate_b)
{
    int sa = a->negative, sb = b->negative ^ negate_b;
    if (sa == sb) {
        add_magnitude(r, a, b);
        r->negative = sa;
    } else if (compare_magnitude(a, b) >= 0) {
        subtract_magnitude(r, a, b);
        r->negative = sa;
    } else {
        subtract_magnitude(r, b, a);
        r->negative = sb;
    }
    trim(r);
}

static void multiply(bignum *r, const bignum *a, const bignum *b)
{
    bignum t = {0};
    reserve(&t, a->used + b->used + 1);
    memset(t.limb, 0, (size_t)t.capacity * sizeof *t.limb);
    for (int i = 0; i < a->used; i++) {
        uint64_t carry = 0;
        for (int j = 0; j < b->used; j++) {
            carry += (uint64_t)a->limb[i] * b->limb[j] + t.limb[i + j];
            t.limb[i + j] = (uint32_t)carry;
            carry >>= 32;
        }
        t.limb[i + b->used] += (uint32_t)carry;
    }
    t.used = a->used + b->used;
    t.negative = a->negative ^ b->negative;
    trim(&t);
    clear(r);
    *r = t;
}

static int divide(bignum *q, bignum *r, const bignum *a, const bignum *b) // truncating, bit by bit
{
    if (b->used == 0)
        return -1;
    bignum quotient = {0}, rest = {0}, d = {0};
    assign(&d, b);
    d.negative = 0;
    set_small(&rest, 0);
    reserve(&quotient, a->used > 0 ? a->used : 1);
    memset(quotient.limb, 0, (size_t)quotient.capacity * sizeof *quotient.limb);
    quotient.used = a->used;
    for (int i = a->used * 32 - 1; i >= 0; i--) {
        multiply_small(&rest, 2, a->limb[i / 32] >> (i % 32) & 1);
        if (rest.used == 0 && (a->limb[i / 32] >> (i % 32) & 1))
            set_small(&rest, 1);
        trim(&rest);
        if (compare_magnitude(&rest, &d) >= 0) {
            subtract_magnitude(&rest, &rest, &d);
            trim(&rest);
            quotient.limb[i / 32] |= 1u << (i % 32);
        }
    }
    quotient.negative = a->negative ^ b->negative;
    rest.negative = a->negative;
    trim(&quotient);
    trim(&rest);
    clear(&d);
    clear(q);
    *q = quotient;
    clear(r);
    *r = rest;
    return 0;
}

static void print(const bignum *b)
{
    bignum t = {0};
    char digits[400];
    int n = 0;
    assign(&t, b);
    do {
        uint32_t group = divide_small(&t, 1000000000u);
        for (int k = 0; k < 9 && (k == 0 || group || t.used); k++, group /= 10)
            digits[n++] = (char)('0' + group % 10);
    } while (t.used);
    if (b->negative)
        digits[n++] = '-';
    while (n--)
        putchar(digits[n]);
    clear(&t);
}

static int evaluate(const char *text, bignum *out)
{
    bignum stack[16] = {{0}};
    int top = 0, status = 0;
    while (*text && !status) {
        if (isspace((unsigned char)*text)) {
            text++;
        } else if (isdigit((unsigned char)*text)) {
            bignum *b = &stack[top++];
            set_small(b, 0);
            while (isdigit((unsigned char)*text))
                multiply_small(b, 10, (uint32_t)(*text++ - '0'));
        } else {
            char op = *text++;
            if (op == '!') {
                uint32_t n = stack[top - 1].used ? stack[top - 1].limb[0] : 0;
                set_small(&stack[top - 1], 1);
                for (uint32_t k = 2; k <= n; k++)
                    multiply_small(&stack[top - 1], k, 0);
                continue;
            }
            if (top < 2) {
                status = -2;
                break;
            }
            bignum *a = &stack[top - 2], *b = &stack[top - 1], q = {0}, r = {0};
            switch (op) {
            case '+': add_signed(a, a, b, 0); break;
            case '-': add_signed(a, a, b, 1); break;
            case '*': multiply(a, a, b); break;
            case '/': case '%':
                if (divide(&q, &r, a, b) != 0)
                    status = -1;
                else
                    assign(a, op == '/' ? &q : &r);
                clear(&q);
                clear(&r);
                break;
            case '^': {
                uint32_t e = b->used ? b->limb[0] : 0;
                bignum base = {0};
                assign(&base, a);
                set_small(a, 1);
                for (; e; e >>= 1) {
                    if (e & 1)
                        multiply(a, a, &base);
                    multiply(&base, &base, &base);
                }
                clear(&base);
                break;
            }
            default: status = -3;
            }
            clear(b);
            top--;
        }
    }
    if (!status && top != 1)
        status = -4;
    if (!status)
        assign(out, &stack[0]);
    for (int i = 0; i < 16; i++)
        clear(&stack[i]);
    return status;
}

int main(void)
{
    static const struct { const char *text, *check; int status; } cases[] = {
        {"30 !", "265252859812191058636308480000000", 0}, {"2 200 ^ 1 -", "1606938044258990275541962092341162602522202993782792835301375", 0},
        {"5 8 -", "0 3 -", 0}, {"7 0 8 - *", "0 56 -", 0}, {"10 30 ^ 7 /", "142857142857142857142857142857", 0},
        {"10 30 ^ 7 %", "1", 0}, {"0 17 - 5 /", "0 3 -", 0}, {"0 17 - 5 %", "0 2 -", 0}, {"50 ! 48 ! /", "2450", 0},
        {"3 100 ^ 3 99 ^ 3 * -", "0", 0}, {"123456789012345678901234567890 987654321098765432109876543210 *", "121932631137021795226185032733622923332237463801111263526900", 0},
        {"1 0 /", NULL, -1}, {"1 +", NULL, -2}, {"1 2", NULL, -4}, {"1 2 ?", NULL, -3}};
    int bad = 0;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        bignum a = {0}, b = {0}, d = {0};
        int status = evaluate(cases[i].text, &a);
        printf("%s = ", cases[i].text);
        if (status) {
            printf("error %d\n", status);
            bad += status != cases[i].status;
        } else {
            print(&a);
            putchar('\n');
            bad += evaluate(cases[i].check, &b) != 0;
            add_signed(&d, &a, &b, 1);
            bad += d.used != 0;
        }
        clear(&a);
        clear(&b);
        clear(&d);
    }
    printf("%d bad, %ld live\n", bad, live);
    return bad || live;
}
