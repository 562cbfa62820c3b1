// Operator precedence and associativity.
#include "../check.h"

struct node { int v; struct node *next; int a[3]; };
static int pick(int i) { return i * 10; }
static int (*table[])(int) = {pick, pick};

int main(void)
{
    int a = 2, b = 3, c = 4;
    CHECK(a + b * c == 14 && (a + b) * c == 20);
    CHECK(a - b - c == -5 && a - (b - c) == 3);
    CHECK(100 / 10 / 2 == 5 && 100 / 10 * 2 == 20 && 7 % 4 * 2 == 6);
    CHECK((1 << 2) + 1 == 5 && 1 << (2 + 1) == 8);
    CHECK((a & b) == 2 && ((a & b) == 3) == 0);
    CHECK((a | (b ^ (c & 6))) == 7);
    CHECK(!a == 0 && -a * -b == 6 && ~a + 1 == -a);
    CHECK((a < b) == (b < c));
    CHECK((a = b = c) == 4 && a == 4 && b == 4);
    a = 2; b = 3;
    CHECK((a += b -= 1) == 4 && b == 2);
    int x = 1 ? 2 : 0 ? 3 : 4;
    CHECK(x == 2);
    int array[3] = {5, 6, 7}, *p = array;
    CHECK(*p++ == 5 && *p == 6 && -*p == -6 && !*p == 0);
    CHECK(*&array[2] == 7 && &*p == p && &p[1] == array + 2);
    struct node n2 = {2, 0, {1, 2, 3}}, n1 = {1, &n2, {4, 5, 6}}, *q = &n1;
    CHECK(q->next->v == 2 && q->next->a[1] == 2 && (*q).a[2] == 6 && &q->a[1] - q->a == 1);
    CHECK(++q->v == 2 && q->v++ == 2 && -q->v == -3);
    CHECK((*table[1])(3) == 30 && table[0](2) == 20);
    CHECK(sizeof(int) * 2 == 8 && sizeof a * 2 == 8);
    CHECK((char)1 + 2 == 3 && (int)2.5 * 2 == 4);
    int k = 10 - 4 % 3 + 2 * 3;
    printf("%d %d\n", k, 1 + 2 == 3);
    return check_done();
}
