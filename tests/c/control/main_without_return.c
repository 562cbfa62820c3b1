// Falling off the end of main returns 0; void functions fall off too.
#include <stdio.h>
#include <stdlib.h>

static int counter;
static void bump(int by)
{
    if (by > 2) {
        counter += by;
        return;
    }
    counter++;
}

static int maybe(int x)
{
    if (x)
        return 5;
    abort();
}

int main()
{
    bump(1);
    bump(5);
    printf("%d %d\n", counter, maybe(1));
    if (counter != 6)
        return 1;
}
