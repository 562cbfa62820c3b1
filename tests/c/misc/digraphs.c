// Digraphs, line splices, comments in odd places.
#include "../check.h"

%:define HASH_DEFINED 5
static int ar<::> = <%1, 2, 3%>;

int ma\
in(/* nothing */ void)
<%
    int x = 10 /* a comment */ / /* another */ 2; // trailing
    CHECK(x == 5 && ar<:2:> == 3 && HASH_DEFINED == 5);
    const char *s = "not /* a comment */ // here";
    CHECK(s[4] == '/');
    int q = 1, y = q+++x;
    CHECK(y == 6 && q == 2);
    y = 7//**/2
        ;
    CHECK(y == 7);
    int z = q-- - -1
#
        ;
    printf("%d\n", z);
    return check_done();
%>
