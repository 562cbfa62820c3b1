// Typedef chains through pointers, arrays and functions.
#include "../check.h"

typedef unsigned char byte;
typedef byte block[8];
typedef block *block_pointer;
typedef double real;
typedef real (*function)(real);
typedef function function_table[3];
typedef struct tree tree, *tree_pointer;
struct tree { real key; tree_pointer left, right; };
typedef const tree_pointer constant_tree;
typedef int integer, *integer_pointer, integer_array[4], integer_function(integer);
typedef integer_function *integer_function_pointer;
typedef enum { OFF, ON } toggle;

static integer_function increment;
static integer increment(integer x) { return x + 1; }
static real one(real x) { return x; }
static real two(real x) { return x * x; }
static real three(real x) { return x * x * x; }
static real sum_tree(constant_tree t) { return t ? t->key + sum_tree(t->left) + sum_tree(t->right) : 0; }
static toggle flip(toggle t) { return t == ON ? OFF : ON; }

int main(void)
{
    block b = {1, 2, 3};
    block_pointer bp = &b;
    (*bp)[7] = 200;
    CHECK(b[7] == 200 && sizeof(block) == 8);
    function_table t = {one, two, three};
    real s = 0;
    for (int i = 0; i < 3; i++)
        s += t[i](2.0);
    CHECK(s == 14);
    tree leaf1 = {1, 0, 0}, leaf2 = {4, 0, 0}, root = {2.5, &leaf1, &leaf2};
    CHECK(sum_tree(&root) == 7.5);
    integer_array v = {1, 2, 3, 4};
    integer_pointer p = v;
    integer_function_pointer f = increment;
    for (int i = 0; i < 4; i++)
        p[i] = f(p[i]);
    CHECK(v[3] == 5);
    CHECK(flip(ON) == OFF && flip(flip(ON)) == ON);
    typedef integer_array matrix[2];
    matrix m = {{1, 2, 3, 4}, {5, 6, 7, 8}};
    CHECK(m[1][2] == 7 && sizeof m == 32);
    printf("%g %d\n", s, m[1][3]);
    return check_done();
}
