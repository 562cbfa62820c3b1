// flags: -lm
// Most of the standard headers at once, a little of each.
#include <assert.h>
#include <complex.h>
#include <ctype.h>
#include <errno.h>
#include <fenv.h>
#include <float.h>
#include <inttypes.h>
#include <iso646.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <stdnoreturn.h>
#include <string.h>
#include <strings.h>
#include <sys/types.h>
#include <time.h>
#include <uchar.h>
#include <unistd.h>
#include <wchar.h>
#include <wctype.h>

int main(void)
{
    bool ok = true;
    ok = ok and isalpha('x') and not isdigit('x') and toupper('q') == 'Q';
    ok = ok and DBL_DIG == 15 and FLT_RADIX == 2 and INT_MAX == INT32_MAX;
    errno = 0;
    long v = strtol("99999999999999999999", NULL, 10);
    ok = ok and v == LONG_MAX and errno == ERANGE;
    printf("%" PRId64 " %" PRIu32 " %" PRIx16 "\n", INT64_C(-5), UINT32_C(7), (uint16_t)0xbeef);
    alignas(16) char aligned[16] = "aligned";
    ok = ok and (uintptr_t)aligned % 16 == 0 and strcasecmp(aligned, "ALIGNED") == 0;
    ok = ok and sizeof(ssize_t) == sizeof(size_t) and towupper(L'a') == L'A' and CLOCKS_PER_SEC > 0;
    assert(ok);
    printf("%.10g %d\n", fma(2, 3, 4), (int)lround(2.5));
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
