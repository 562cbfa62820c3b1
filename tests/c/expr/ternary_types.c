// The conditional operator's result type and use as an operand.
#include "../check.h"

struct pair { int a, b; };
static struct pair choose(int c, struct pair x, struct pair y) { return c ? x : y; }
static int square(int x) { return x * x; }
static int negate(int x) { return -x; }

int main(int argc, char **argv)
{
    (void)argv;
    int zero = argc - argc, minus = zero - 1;
    CHECK(sizeof(zero ? 1 : 2.0) == sizeof(double));
    CHECK((zero ? (unsigned)minus : 1u) == 1u);
    CHECK((zero == 0 ? (long)minus : 1u) == -1L && (zero ? 1.5f : minus) == -1.0f);
    CHECK((1 ? (char)-1 : (short)2) == -1);
    const char *s = zero ? "no" : "yes";
    CHECK(s[0] == 'y');
    int x = 1, y = 2;
    *(zero ? &x : &y) = 9;
    CHECK(x == 1 && y == 9);
    struct pair p = choose(1, (struct pair){1, 2}, (struct pair){3, 4});
    struct pair q = zero ? p : (struct pair){5, 6};
    CHECK(p.b == 2 && q.a == 5 && (zero ? p : q).b == 6);
    CHECK((zero ? square : negate)(4) == -4);
    void *v = zero ? 0 : &x;
    CHECK(v == &x);
    double d = zero ? 1 : zero + 1 ? 2.5 : 3;
    CHECK(d == 2.5);
    zero ? (void)x++ : (void)y++;
    CHECK(y == 10);
    for (int i = 0; i < 16; i++)
        printf("%s ", i % 15 == 0 ? "fizzbuzz" : i % 5 == 0 ? "buzz" : i % 3 == 0 ? "fizz" : "-");
    printf("\n");
    long long sum = 0;
    for (int i = -50; i < 50; i++)
        sum += i < 0 ? -i : i > 20 ? 20 : i;
    CHECK(sum == 1275 + 210 + 29 * 20);
    printf("%lld\n", sum);
    return check_done();
}
