// Structs of a block as results of derivatives: with a tag, as a typedef, used at once.
#include <stdio.h>
static double f(double a, double b) { return a * b; }
static double g(double a, float b, double c) { return a * b * c; }
int main(void)
{
    struct two { double a, b; };
    typedef struct { double x; float y; double z; } three;
    struct two __enzyme_autodiff_two(void *, ...);
    three __enzyme_autodiff_three(void *, ...);
    double x = 2, y = 3;
    struct two r = __enzyme_autodiff_two((void *)f, x, y);
    double s = __enzyme_autodiff_two((void *)f, x, y).a + r.b;
    three t = __enzyme_autodiff_three((void *)g, x, 3.0f, 5.0);
    printf("%g %g %g %g %g %g\n", r.a, r.b, s, t.x, t.y, t.z);
    return !(r.a == 3 && r.b == 2 && s == 6 && t.x == 15 && t.y == 10 && t.z == 6);
}
