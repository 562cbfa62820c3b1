// Prefix and postfix increments on scalars, elements, members, pointers.
#include "../check.h"

struct counter { short n; double d; int *p; unsigned bits : 3; };

static int next_id(void) { static int id = 10; return id++; }

int main(void)
{
    int i = 5;
    CHECK(i++ == 5 && i == 6);
    CHECK(++i == 7 && i-- == 7 && --i == 5);
    double d = 0.5;
    CHECK(d++ == 0.5 && ++d == 2.5 && d-- == 2.5 && --d == 0.5);
    float f = 1;
    f++;
    CHECK(f == 2.0f);
    unsigned char u = 255;
    CHECK(u++ == 255 && u == 0);
    CHECK(--u == 255);
    int a[5] = {1, 2, 3, 4, 5};
    int *p = a;
    CHECK(*p++ == 1 && *++p == 3 && (*p)++ == 3 && ++*p == 5);
    CHECK(a[2] == 5);
    CHECK(*--p == 2 && p[1]-- == 5 && a[2] == 4);
    struct counter c = {1, 1.5, a, 6};
    c.n++;
    ++c.d;
    c.p++;
    c.bits++;
    CHECK(c.n == 2 && c.d == 2.5 && *c.p == 2 && c.bits == 7);
    c.bits++;
    CHECK(c.bits == 0);
    struct counter *q = &c;
    CHECK(q->n++ == 2 && ++q->n == 4 && *q->p++ == 2 && *q->p == 4);
    CHECK(next_id() == 10 && next_id() == 11);
    int k = 0, total = 0;
    while (k < 10)
        total += k++ * 2;
    CHECK(total == 90);
    i = 0;
    int b[4] = {0};
    b[i] = 7, i++;
    b[i++] = 8;
    b[++i] = 9;
    printf("%d %d %d %d %d\n", b[0], b[1], b[2], b[3], i);
    return check_done();
}
