// Designated, nested, ranged and overriding initialisers.
#include "../check.h"

#pragma GCC diagnostic ignored "-Wmissing-braces"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

struct inner { int a; double b[3]; };
struct outer { char tag; struct inner in[2]; int *p; union { int i; float f; } u; };
static int target = 9;
static int sparse[] = {[5] = 50, 60, [1] = 10, [8] = 80};
static int ranged[10] = {[0 ... 4] = 1, [5 ... 8] = 2};
static int matrix[3][3] = {[1] = {[2] = 5}, [0][0] = 1, [2] = {7, 8, 9}};
static struct outer o = {.in[1].b = {1, 2}, .in[0] = {4, {[2] = 3}}, .p = &target, .u.f = 1.0f, .tag = 'q'};
static struct inner flat[] = {1, {2, 3, 4}, 5, {6, 7}};

static int count(void)
{
    static int calls = 0;
    return ++calls;
}

int main(void)
{
    CHECK(sizeof sparse == 9 * sizeof(int) && sparse[6] == 60 && sparse[1] == 10 && sparse[2] == 0);
    int s = 0;
    for (int i = 0; i < 10; i++)
        s += ranged[i];
    CHECK(s == 13 && ranged[9] == 0);
    CHECK(matrix[1][2] == 5 && matrix[0][0] == 1 && matrix[2][1] == 8 && matrix[1][0] == 0);
    CHECK(o.in[1].b[1] == 2 && o.in[0].a == 4 && o.in[0].b[2] == 3 && *o.p == 9 && o.u.i == 0x3f800000);
    CHECK(flat[1].a == 5 && flat[1].b[1] == 7 && flat[0].b[2] == 4 && flat[1].b[2] == 0);
    int n = 3;
    struct outer local = {.in = {{.a = n, .b = {n + 1, [2] = n * 2}}}, .p = &n};
    CHECK(local.in[0].b[0] == 4 && local.in[0].b[1] == 0 && local.in[0].b[2] == 6 && local.in[1].a == 0);
    int dynamic[4] = {count(), count(), [3] = count()};
    CHECK(dynamic[2] == 0 && dynamic[0] + dynamic[1] + dynamic[3] == 6);
    struct { int x, y; } pts[] = {{.y = 2, .x = 1}, {3}, [3] = {.y = 8}};
    CHECK(sizeof pts / sizeof pts[0] == 4 && pts[0].x == 1 && pts[1].y == 0 && pts[3].y == 8);
    char words[][6] = {"one", "three", [4] = "five"};
    CHECK(sizeof words == 30 && words[4][3] == 'e' && words[3][0] == 0);
    printf("%d %g\n", s, o.in[1].b[0]);
    return check_done();
}
