// va_arg of structs and unions, small enough for registers and not.
#include "../check.h"
#include <stdarg.h>

struct small {
    int x;
    float y;
};
struct large {
    double values[5];
    char tag;
};
union either {
    long n;
    double d;
};

static double sum(int count, ...)
{
    va_list list;
    double total = 0;
    va_start(list, count);
    for (int i = 0; i < count; i++) {
        switch (va_arg(list, int)) {
        case 0: {
            struct small s = va_arg(list, struct small);
            total += s.x + s.y;
            break;
        }
        case 1: {
            struct large l;
            l = va_arg(list, struct large);
            for (int k = 0; k < 5; k++)
                total += l.values[k];
            total += l.tag == 'l';
            break;
        }
        case 2:
            total += va_arg(list, union either).d;
            break;
        default:
            total += va_arg(list, double);
        }
    }
    va_end(list);
    return total;
}

int main(void)
{
    struct small s = {3, 0.5f};
    struct large l = {{1, 2, 3, 4, 5}, 'l'};
    union either e = {.d = 0.25};
    CHECK(sum(1, 0, s) == 3.5);
    CHECK(sum(4, 1, l, 0, s, 2, e, 3, 10.0) == 16 + 3.5 + 0.25 + 10);
    printf("%g\n", sum(4, 1, l, 0, s, 2, e, 3, 10.0));
    return check_done();
}
