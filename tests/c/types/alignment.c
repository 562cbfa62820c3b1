// _Alignas, _Alignof, over-aligned members and static assertions.
#include "../check.h"
#include <stddef.h>
#include <stdint.h>

struct aligned { char c; _Alignas(16) double v[2]; char d; };
_Alignas(32) static float buffer[8];
typedef struct { _Alignas(8) char tag; int x; } wide_tag;
struct __attribute__((aligned(64))) line { int data[4]; };
_Static_assert(sizeof(struct aligned) == 48, "size follows alignment");
_Static_assert(_Alignof(struct line) == 64 && sizeof(struct line) == 64, "attribute");
_Static_assert(offsetof(struct aligned, d) == 32, "offset");

static int is_aligned(const void *p, size_t a) { return (uintptr_t)p % a == 0; }

int main(void)
{
    struct aligned local;
    _Alignas(64) char raw[64] = {1};
    struct line lines[3] = {{{1}}, {{2}}, {{3}}};
    CHECK(is_aligned(buffer, 32) && is_aligned(&local, 16) && is_aligned(raw, 64));
    CHECK(is_aligned(&lines[1], 64) && is_aligned(&lines[2], 64));
    CHECK(_Alignof(wide_tag) == 8 && sizeof(wide_tag) == 8);
    local.v[1] = 2.5;
    local.c = local.d = 'x';
    int s = 0;
    for (int i = 0; i < 3; i++)
        s += lines[i].data[0];
    _Alignas(double) char storage[sizeof(double)];
    CHECK(is_aligned(storage, 8));
    _Static_assert(sizeof storage == 8, "inside a function");
    storage[0] = raw[0];
    buffer[7] = 1.5f;
    printf("%d %g %d %g\n", s, local.v[1], storage[0], buffer[7]);
    return check_done();
}
