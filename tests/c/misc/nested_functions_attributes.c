// interp: skip constructors run before main
// Attributes on functions, variables, types; constructors run before main.
#include "../check.h"

static int started;
__attribute__((constructor)) static void begin(void) { started = 42; }
static __attribute__((noinline, pure)) int length(const char *s) { int n = 0; while (*s++) n++; return n; }
__attribute__((const)) static int twice(int x) { return 2 * x; }
static int unused_variable __attribute__((unused));
typedef int vector4 __attribute__((vector_size(16)));
typedef double __attribute__((aligned(8))) aligned_double;
static void cleanup(int *p) { started -= *p; }
static inline __attribute__((always_inline, unused)) int small(int x) { return x + 1; }
extern int renamed(int) __asm__("renamed_symbol");
int renamed(int x) { return x * 3; }
__attribute__((weak)) int weak_function(void) { return 8; }
__extension__ typedef long long extended;
static __attribute__((cold, noreturn)) void die(void) { __builtin_abort(); }
struct __attribute__((packed)) tight { char c; int i; };

int main(void)
{
    CHECK(started == 42 && length("hello") == 5 && twice(4) == 8);
    {
        int amount __attribute__((cleanup(cleanup))) = 2;
        CHECK(started == 42 && amount == 2);
    }
    CHECK(started == 40);
    vector4 a = {1, 2, 3, 4}, b = {10, 20, 30, 40}, c = a * b + a;
    CHECK(c[0] == 11 && c[3] == 164);
    int total = 0;
    for (int i = 0; i < 4; i++)
        total += c[i];
    aligned_double d = 1.5;
    extended e = 5;
    CHECK(sizeof(struct tight) == 5 && renamed(3) == 9 && weak_function() == 8 && small(1) == 2 && d * e == 7.5);
    if (total == 0)
        die();
    switch (total & 3) {
    case 0: total++; __attribute__((fallthrough));
    case 1: total++; break;
    default: break;
    }
    printf("%d\n", total);
    return check_done();
}
