// assert passes, and with NDEBUG evaluates nothing.
#include <assert.h>
#include <stdio.h>

static int calls;
static int yes(void) { return ++calls; }

static void active(void) { assert(yes()); }

#undef NDEBUG
#define NDEBUG
#include <assert.h>
static void inactive(void) { assert(yes() && 0); }
#undef NDEBUG
#include <assert.h>

int main(void)
{
    active();
    inactive();
    assert(calls == 1 && "only the active assertion ran");
    printf("%d\n", calls);
    return calls == 1 ? 0 : 1;
}
