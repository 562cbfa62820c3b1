// #line, __LINE__, __FILE__, __func__, __COUNTER__.
#include "../check.h"
#include <string.h>

static const char *me(void) { return __func__; }
static int line_after(void)
{
#line 5000
    return __LINE__;
}
#line 100 "renamed.c"
static const char *file(void) { return __FILE__; }
static int line(void) { return __LINE__; }

int main(void)
{
    CHECK(!strcmp(me(), "me") && !strcmp(__func__, "main") && !strcmp(__FUNCTION__, "main"));
    CHECK(line_after() == 5000);
    CHECK(!strcmp(file(), "renamed.c") && line() == 101);
    int a = __COUNTER__, b = __COUNTER__;
    CHECK(b == a + 1);
    CHECK(__STDC__ == 1 && __STDC_VERSION__ >= 201112L);
    int multi = (1 +
                 2 +
                 __LINE__ - __LINE__);
    CHECK(multi == 3);
    printf("%s %d\n", file(), __LINE__);
    return check_done();
}
