// An inactive function whose body is in another file, as far as the compiler can see, looks at active numbers.
#include <stdio.h>

void __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

struct state {
    double value[3];
    int steps;
};
void monitor(const struct state *state, const double *x, int n) __asm__("monitor_elsewhere") __attribute__((enzyme_inactive));
static int calls;
void monitor_elsewhere(const struct state *state, const double *x, int n)
{
    calls += state->steps == 2 && x[0] == 1 && n == 3;
}

static double f(double *x, int n)
{
    struct state state = {{x[0] * x[0], x[1], x[2] * x[0]}, 2};
    double sum = 0;
    monitor(&state, x, n);
    for (int i = 0; i < n; i++)
        sum += state.value[i] * x[i];
    monitor(&state, x, n);
    return sum;
}

int main(void)
{
    double x[3] = {1, 2, 3}, bar[3] = {0}, dot[3] = {1, 1, 1};
    __enzyme_autodiff((void *)f, x, bar, 3);
    double forward = __enzyme_fwddiff((void *)f, x, dot, 3);
    if (bar[0] != 12 || bar[1] != 4 || bar[2] != 6 || forward != 22 || calls != 4) {
        printf("%g %g %g, %g, %d calls\n", bar[0], bar[1], bar[2], forward, calls);
        return 1;
    }
    return 0;
}
