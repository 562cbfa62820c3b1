// A program that declares only what it calls, and has names of its own that derivatives want to call.
double erf(double);
double sin(double);
double fabs(double);
double j0(double);
double cbrt(double);
double tanh(double);
int printf(const char *, ...);
double __enzyme_autodiff(void *, ...);

static double hidden(double cos)
{
    double exp = sin(cos) * cos;
    return erf(exp) + exp * cos;
}
static double cosh(double x)
{
    return 3 * x;
}
static double undeclared(double x)
{
    double complex = cosh(x) * j0(x) + cbrt(x) + tanh(x);
    return complex * complex;
}

static int check(double d, double (*f)(double), double x)
{
    double h = 1e-4, numeric = (8 * (f(x + h) - f(x - h)) - (f(x + 2 * h) - f(x - 2 * h))) / (12 * h);
    if (!(fabs(d - numeric) < 1e-7)) {
        printf("%g, not %g\n", d, numeric);
        return 1;
    }
    return 0;
}

int main(void)
{
    return check(__enzyme_autodiff((void *)hidden, 0.7), hidden, 0.7) | check(__enzyme_autodiff((void *)undeclared, 0.7), undeclared, 0.7);
}
