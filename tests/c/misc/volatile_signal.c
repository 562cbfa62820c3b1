// interp: skip signals
// A signal handler sets a volatile flag.
#include <signal.h>
#include <stdio.h>

static volatile sig_atomic_t seen;
static void on_signal(int number) { seen = number == SIGUSR1 ? 1 : 2; }

int main(void)
{
    if (signal(SIGUSR1, on_signal) == SIG_ERR)
        return 2;
    raise(SIGUSR1);
    while (!seen)
        ;
    printf("seen %d\n", (int)seen);
    return seen == 1 ? 0 : 1;
}
