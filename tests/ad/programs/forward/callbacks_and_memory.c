/* Forward mode with function pointers, memmove, realloc and struct copies. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef double (*op)(double, double);
typedef struct { op fn; double state; } stage;
double __enzyme_fwddiff(void *, ...);
int enzyme_dup;

static double times(double a, double b) { return a * b; }
static double blend(double a, double b) { return 0.3 * a + 0.7 * sin(b); }

static double pipeline(double x)
{
    stage *s = malloc(sizeof *s);
    int count = 1;
    s[0] = (stage){times, x};
    for (int i = 0; i < 4; i++) {
        s = realloc(s, (count + 1) * sizeof *s);
        memmove(s + 1, s, count * sizeof *s);
        s[0].fn = i % 2 ? times : blend;
        s[0].state = x + i;
        count++;
    }
    double r = 1;
    for (int i = 0; i < count; i++)
        r = s[i].fn(r, s[i].state);
    free(s);
    return r;
}

int main(void)
{
    double d = __enzyme_fwddiff((void *)pipeline, enzyme_dup, 0.8, 1.0), fd = (pipeline(0.8 + 1e-6) - pipeline(0.8 - 1e-6)) / 2e-6;
    if (!(fabs(d - fd) < 1e-7 * (1 + fabs(fd)))) {
        printf("%g vs %g\n", d, fd);
        return 1;
    }
    return 0;
}
