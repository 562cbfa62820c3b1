// exit: 7
// _Exit skips atexit handlers but buffers are flushed by hand.
#include <stdio.h>
#include <stdlib.h>

static void never(void) { printf("handler\n"); }

int main(void)
{
    atexit(never);
    printf("before\n");
    fflush(stdout);
    _Exit(7);
}
