// Functions of the system with everyday names, known by their types.
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

static double scale = 1.0;
static volatile sig_atomic_t stopped;

static void stop(int number)
{
    stopped = number;
}

static double saved(const char *path, double x)
{
    struct stat status;
    if (stat(path, &status) == 0 && access(path, R_OK) == 0)
        return x * scale;
    return x * x * scale;
}

static double f(double x)
{
    void (*before)(int) = signal(SIGUSR1, stop);
    char byte = 0;
    int ends[2];
    scale = sin(x);
    raise(SIGUSR1);
    signal(SIGUSR1, before);
    if (pipe(ends) == 0 && write(ends[1], "x", 1) == 1 && read(ends[0], &byte, 1) == 1) {
        close(ends[0]);
        close(ends[1]);
    }
    return saved("/", x) + saved("/there is no such file", x) + (byte == 'x' && stopped == SIGUSR1 ? x : 0);
}

int main(void)
{
    double x = 0.7, expected = (1 + 2 * x) * sin(x) + (x + x * x) * cos(x) + 1;
    double reverse = __enzyme_autodiff((void *)f, x), forward = __enzyme_fwddiff((void *)f, x, 1.0);
    if (fabs(reverse - expected) > 1e-14 || fabs(forward - expected) > 1e-14) {
        printf("%.15g and %.15g, not %.15g\n", reverse, forward, expected);
        return 1;
    }
    return 0;
}
