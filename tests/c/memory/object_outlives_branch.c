// An object of the outer block whose address is kept by a branch.
#include "../check.h"

static int read_third(const int *p) { return p[2]; }

static int choose(const int *given)
{
    const int *list;
    int own[32];
    int noise[32];
    if (given) {
        list = given;
    } else {
        own[2] = 42;
        list = own;
    }
    for (int i = 0; i < 32; i++)
        noise[i] = i;
    return read_third(list) + noise[0];
}

// The length of an array in a loop is made of what the loop changes.
static long lengths(int rounds)
{
    int n = 0;
    long total = 0;
    while (n < rounds) {
        int x[n % 7 + 1];
        x[0] = 1;
        x[n % 7] = 2;
        total += x[0] + (long)sizeof x;
        n++;
        int y[n % 5 + 1];
        y[0] = 1;
        y[n % 5] = 2;
        total += y[0] + (long)sizeof y;
        n++;
    }
    return total;
}

struct name {
    int length;
    char text[8];
};

static const struct name *const_view;

static void cut(void)
{
    // Written through a view that is const; the object is not.
    ((char *)const_view->text)[const_view->length] = 0;
}

int main(void)
{
    int three[3] = {1, 2, 3};
    CHECK(choose(three) == 3);
    CHECK(choose(0) == 42);
    printf("%ld\n", lengths(40));
    struct name name = {2, "abcdef"};
    const_view = &name;
    cut();
    CHECK(name.text[1] == 'b' && name.text[2] == 0 && name.text[3] == 'd');
    return check_done();
}
