/* Expressions that lowering treats in a way of their own. */
#include <complex.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct bits { unsigned a : 3; int b : 5; unsigned long c : 40; _Bool d : 1; };
struct pair { int x, y; };
struct nest { struct pair p[2]; union { double d; unsigned char bytes[8]; }; char name[6]; };

static struct pair make(int x, int y) { return (struct pair){x, y}; }
static int total(struct pair p) { p.x += p.y; return p.x; }
static struct pair swap(struct pair p) { return (struct pair){.x = p.y, .y = p.x}; }
static int calls;
static int count(int v) { calls++; return v; }

static double average(int n, ...)
{
    va_list ap, copy;
    double sum = 0;
    va_start(ap, n);
    va_copy(copy, ap);
    for (int i = 0; i < n; i++) sum += va_arg(ap, double);
    sum += va_arg(copy, double);
    va_end(copy);
    va_end(ap);
    return sum / n;
}

static int vla(int n, int m, int a[n][m])
{
    int b[m][n], (*row)[n] = b, sum = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) b[j][i] = a[i][j] * 2;
    for (int j = 0; j < m; j++, row++)
        for (int i = 0; i < n; i++) sum += (j + 1) * (*row)[i];
    return sum + (int)(sizeof b / sizeof(int)) + (int)(row - b) + (int)sizeof *row;
}

static int lookup(int i)
{
    static const char *const names[] = {"zero", [3] = "three", "four"};
    static struct nest table[2] = {[1] = {.p = {{1, 2}, {3}}, .d = 1.5, .name = "ab"}};
    static int *inner = &table[1].p[1].x;
    static int (*const functions[])(int) = {count, count};
    table[0].p[0].x++;
    return (names[i] ? (int)strlen(names[i]) : -1) + *inner + table[1].p[0].y + functions[1](table[0].p[0].x);
}

static double _Complex power(double _Complex z, int n)
{
    double _Complex r = 1;
    while (n-- > 0) r *= z;
    __real__ r += 1;
    r++;
    return ~r + 2.0i;
}

static int lazy(int *p, int n)
{
    int r = p && *p > 3 ? *p : n ?: 7;
    r += !p + !!n + (p != NULL && n);
    return r;
}

int main(void)
{
    struct bits b = {5, -3, 1ul << 35, 1};
    printf("%d %d %lu %d\n", b.a++, --b.b, (unsigned long)(b.c += 7), b.d);
    printf("%d %d %d\n", b.a = 12, b.b = 17, b.d = 2);
    b.d--;
    printf("%d %d %lu %d\n", b.a, b.b, (unsigned long)b.c, b.d);

    struct pair p = make(3, 4), q;
    q = swap(p);
    int c = count(1);
    struct pair r = c ? p : swap(q);
    printf("%d %d %d %d\n", total(p), q.x, swap(swap(q)).x, r.y);
    printf("%d\n", (q = p).x + total(make(1, 2)));
    p = swap(p);
    printf("%d %d\n", p.x, p.y);
    int *lit = c > 5 ? NULL : (int[]){c, c + 1, 9};
    for (int i = 0; i < 3; i++) {
        struct pair fresh = {.y = i};
        int *again = (int[3]){i};
        again[1]++;
        printf("%d %d %d %d;", fresh.x, fresh.y, again[0] + again[1], lit[i]);
        fresh.x = 99;
    }
    puts("");

    struct nest n = {{{1, 2}, {3, 4}}, {2.5}, "hello"}, m = n;
    m.p[1].y += m.bytes[7];
    struct nest *np = &m;
    printf("%d %d %s %g\n", np->p[1].y, (*np->p).x, np->name + 1, np->d);

    printf("%g\n", average(3, 1.0, 2.0, 3.5));
    int a[2][3] = {{1, 2, 3}, {4, 5, 6}};
    printf("%d\n", vla(2, 3, a));
    printf("%d ", lookup(0));
    printf("%d ", lookup(1));
    printf("%d ", lookup(3));
    printf("%d\n", calls);
    double _Complex z = power(1 + 2 * I, 3);
    printf("%g %g %d\n", creal(z), cimag(z), z == power(1 + 2 * I, 3));
    int five = 5;
    printf("%d %d %d\n", lazy(&five, 0), lazy(NULL, 0), lazy(NULL, 2));

    int v = ({ int t = 0; for (int i = 0; i < 5; i++) { if (i == 3) break; t += i; } t; });
    signed char sc = 127;
    sc++;
    unsigned char uc = 0;
    uc--;
    _Bool flag = 0.5;
    flag++;
    short sh = 300;
    sh *= 200;
    int sft = 1;
    sft <<= 3L;
    float fl = 1;
    fl /= 3;
    fl++;
    printf("%d %d %d %d %d %d %g\n", v, sc, uc, flag, sh, sft, fl);
    const char *text = "abc", *end = text + 3;
    ptrdiff_t len = end - text;
    end -= 2;
    printf("%td %c ", len, *end--);
    printf("%c %d ", end[1], *text++ == 'a');
    printf("%d\n", &text[1] - end > 0);
    char word[8] = "xy", *buffer = __builtin_alloca(4);
    memcpy(buffer, word, 4);
    volatile int vol = 3;
    vol += vol++ > 2 ? 10 : 20;
    unsigned __int128 wide = (unsigned __int128)-1 / 3;
    int (*fp)(int) = &count;
    printf("%s %d %d %llx %d %d\n", buffer, word[7], vol > 3, (unsigned long long)(wide >> 64), (*fp)(4), (**fp)(5));
    printf("%g %d %d\n", (double)(1 < 2) + (1.5 && 0), (int)offsetof(struct nest, name), (char)300);
    long double ld = 1.0L;
    ld += 0.5f;
    printf("%.2Lf %d\n", ld, ld > 1);
    return (p.x, q.x) - 3;
}
