// Bytes from the system overwrite an active number: its adjoint ends there. Text beside numbers does not touch them.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
double __enzyme_autodiff(void *, ...);
int enzyme_dup;
struct state {
    double value;
    char text[16];
    double other;
};
static double f(const double *x)
{
    struct state s;
    s.value = x[0] * x[0];
    s.other = x[1];
    strncpy(s.text, "text", sizeof s.text);
    double sum = s.value * s.other;
    if (getrandom(&s.value, sizeof s.value, 0) != sizeof s.value)
        return -1;
    if (!(fabs(s.value) < 1e-3))
        s.value = 0;
    return sum + 1e-30 * s.value + s.other * s.other;
}
int main(void)
{
    double x[2] = {0.7, 1.3}, bar[2] = {0};
    __enzyme_autodiff((void *)f, enzyme_dup, x, bar);
    double wanted[2] = {2 * x[0] * x[1], x[0] * x[0] + 2 * x[1]};
    printf("%g %g\n", bar[0] - wanted[0], bar[1] - wanted[1]);
    return fabs(bar[0] - wanted[0]) > 1e-12 || fabs(bar[1] - wanted[1]) > 1e-12;
}
