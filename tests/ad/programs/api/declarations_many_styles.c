/* The entry point declared in many styles: with prototypes, variadic, with suffixes, other return types; &f, f and casts. */
#include <math.h>
#include <stdio.h>

double __enzyme_autodiff(void *, double);
float __enzyme_autodiff_float(void *, float);
void __enzyme_autodiff_void(void *, ...);
extern double my__enzyme_autodiffWithPrefix(double (*)(double), double);
typedef double (*unary)(double);
double __enzyme_autodiff2(unary, ...);
struct grads { double a; float b; };
struct grads __enzyme_autodiff_struct(void *, double, float);

static double square(double x) { return x * x; }
static float fcube(float x) { return x * x * x; }
static double combined(double a, float b) { return a * a * b; }
static void store(const double *x, double *y) { *y = sin(*x); }

#define EXPECT(what, want) \
    if (!(fabs((what) - (want)) < 1e-6)) { \
        printf("line %d: %g, expected %g\n", __LINE__, (double)(what), (double)(want)); \
        bad = 1; \
    }

int main(void)
{
    int bad = 0;
    EXPECT(__enzyme_autodiff((void *)square, 3.0), 6.0)
    EXPECT(__enzyme_autodiff((void *)&square, -1.5), -3.0)
    EXPECT(__enzyme_autodiff_float((void *)fcube, 2.0f), 12.0)
    EXPECT(my__enzyme_autodiffWithPrefix(square, 0.25), 0.5)
    EXPECT(my__enzyme_autodiffWithPrefix(&square, 4), 8.0)
    EXPECT(__enzyme_autodiff2(square, 2.5), 5.0)
    struct grads g = __enzyme_autodiff_struct((void *)combined, 3.0, 0.5f);
    EXPECT(g.a, 3.0)
    EXPECT(g.b, 9.0)
    double x = 0.3, dx = 0, y, dy = 1;
    __enzyme_autodiff_void((void *)store, &x, &dx, &y, &dy);
    EXPECT(dx, cos(0.3))
    EXPECT(y, sin(0.3))
    double total = 0;
    for (int i = 0; i < 4; i++)
        total += i % 2 ? __enzyme_autodiff((void *)square, i) : -__enzyme_autodiff((void *)square, (double)i) / 2;
    EXPECT(total, 2 + 6 - 2)
    return bad;
}
