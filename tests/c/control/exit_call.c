// exit: 42
// exit() from inside a loop inside a function, after an atexit handler.
#include <stdio.h>
#include <stdlib.h>

static void goodbye(void) { printf("goodbye\n"); }

static void countdown(int n)
{
    while (1) {
        printf("%d\n", n);
        if (n-- == 0)
            exit(42);
    }
}

int main(void)
{
    if (atexit(goodbye) != 0)
        return 1;
    countdown(3);
    printf("not reached\n");
    return 0;
}
