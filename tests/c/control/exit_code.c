// exit: 3
// The exit code travels through nested calls and returns.
#include <stdio.h>

static int deep(int n)
{
    if (n > 5)
        return n - 3;
    return deep(n + 1);
}

int main(void)
{
    int code = deep(0);
    printf("leaving with %d\n", code);
    return code;
}
