// Globals, static variables, static locals, recursion, callbacks, contexts.
// adjoin: check %s -f scaled
// adjoin: check %s -f table_lookup
// adjoin: check %s -f power --set n=5
// adjoin: check %s -f counted
// adjoin: grad %s -f scaled
// adjoin: grad %s -f scaled --standalone -o alone.c
// adjoin: grad %s -f table_lookup
// adjoin: grad %s -f counted
// adjoin: hvp %s -f power
// adjoin: grad %s -f with_context --const context
// adjoin: grad %s -f prepared
// fails: `coefficients` is a static variable that `prepare` sets
// adjoin: check %s -f chebyshev
// adjoin: grad %s -f chebyshev
// adjoin: grad %s -f kept
// fails: `series_kept` is a static variable that `keep` sets
// adjoin: grad %s -f with_context
// fails: say `--const context`
// adjoin: grad %s -f powre
// fails: did you mean `power`
// adjoin: grad %s -f power --wrt n
// fails: holds no floating-point number
// adjoin: grad %s -f power --wrt y
// fails: its parameters are x, n
// adjoin: vjp %s -f power --of x
// fails: is no output
// adjoin: check %s -f with_context --const context
// fails: check cannot fill
// adjoin: grad %s -f nothing
// fails: returns no floating-point number
// adjoin: jacobian %s -f unsized --wrt x
// fails: how many elements does `x` have
// adjoin: jacobian %s -f unsized --wrt x --size x=a --size z=b
// fails: there is no parameter `z`
// adjoin: grad %s -f unsized
// fails: needs one real number
// adjoin: grad %s -f power -o power.txt
// fails: must end in `.c`
#include <math.h>
#include <stdio.h>
double scale = 2.5;
static double coefficients[3];
static const double table[4] = {1, 3, 2, 5};

void prepare(double x) { coefficients[0] = x; }
double prepared(double x) { return coefficients[0] * x * x; }
/* Tables that nobody declared const, in structs, and that other functions hand on. */
struct series { double *c; int order; };
static double sine_data[3] = {1.5, -0.25, 0.125};
static struct series sine_series = {sine_data, 2};
static int evaluate(const struct series *s, double x, double *result)
{
    double d = 0;
    for (int j = s->order; j >= 0; j--)
        d = d * x + s->c[j];
    *result = d;
    return 0;
}
double twice_chebyshev(double x)
{
    double r;
    evaluate(&sine_series, 2 * x, &r);
    return 2 * r;
}
double chebyshev(double x)
{
    double r;
    evaluate(&sine_series, x * x, &r);
    return r;
}
static double kept_data[2] = {1, 2};
static struct series series_kept = {kept_data, 1};
static void change(struct series *s) { s->order = 0; }
void keep(void) { change(&series_kept); }
double kept(double x)
{
    double r;
    evaluate(&series_kept, x, &r);
    return r;
}
double scaled(double x) { return scale * sin(x); }
double table_lookup(double x)
{
    int k = (int)x & 3;
    return table[k] * x + exp(x);
}
double power(double x, int n) { return n <= 0 ? 1.0 : x * power(x, n - 1); }
double counted(double x)
{
    static int calls = 0;
    static double factor = 2.0;
    calls++;
    return factor * x * x;
}
double with_context(double x, void *context)
{
    fprintf((FILE *)context, "x = %g\n", x);
    return x * x * x;
}
int nothing(int n) { return n + 1; }
void unsized(int a, int b, const double *x, double *y)
{
    for (int i = 0; i < a; i++)
        for (int j = 0; j < b; j++)
            y[i] = y[i] + x[j] * x[j];
}
