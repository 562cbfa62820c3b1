// A va_list handed on by its address, also through a conditional.
#include "../check.h"
#include <stdarg.h>

static int take(int n, va_list *list)
{
    int sum = 0;
    if (list)
        for (int i = 0; i < n; i++)
            sum += va_arg(*list, int);
    return sum;
}

static double rest(va_list list) { return va_arg(list, double); }

static double both(int n, ...)
{
    va_list list;
    va_start(list, n);
    int skip = va_arg(list, int);
    double sum = take(n, skip ? 0 : &list);
    if (!skip)
        sum += rest(list);
    va_end(list);
    return sum;
}

int main(void)
{
    CHECK(both(3, 0, 1, 2, 3, 0.5) == 6.5);
    CHECK(both(3, 1, 1, 2, 3, 0.5) == 0.0);
    return check_done();
}
