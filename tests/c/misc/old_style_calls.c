// flags: -std=gnu11 -w
// compilers: gcc
// Old style: calls before the prototype, definitions after one, forward parameters, members without a semicolon.
#include "../check.h"

struct bits {
    unsigned three : 3;
    int last
};

int takes_unsigned();
int with_prototype(float, char);

static int call_early(void)
{
    struct bits b = {.three = 131 & 7, .last = 4};
    return takes_unsigned(b.three) + b.last;
}

int takes_unsigned(unsigned z)
{
    return z == 3;
}

int with_prototype(a, b)
float a;
char b;
{
    return (int)(a * 2) + b;
}

static int matrix(int n; int a[n][n], int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i][i];
    return sum;
}

static int scopes(void)
{
    typedef int T;
    if (sizeof(enum { T }) == 0)
        return T;
    T x = 5;
    return x;
}

int main(void)
{
    int a[3][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
    CHECK(call_early() == 5);
    CHECK(with_prototype(1.5f, 2) == 5);
    CHECK(matrix(a, 3) == 15);
    CHECK(scopes() == 5);
    printf("%d\n", matrix(a, 3));
    return check_done();
}
