// Functions of the program's own that have names of the library; what only says something about its argument; globals that get what is locally constant.
double floor(double);
double fabs(double);
int printf(const char *, ...);
void __enzyme_autodiff(void *, ...);

static double steps;
static double aligned(double *x, int n)
{
    double *p = __builtin_assume_aligned(x, 8), s = 0;
    steps = floor(x[0] * 10);
    for (int i = 0; i < n; i++)
        s += p[i] * p[i] * (1 + steps);
    return s;
}

double llrint(double);
double llrint(double x)
{
    return x < 0 ? -llrint(-x) : x * x;
}
double trunc(double);
double trunc(double x)
{
    return x > 100 ? trunc(x / 2) : x * x * x;
}
static double own(double *x, int n)
{
    return llrint(x[0]) + llrint(-x[1]) + trunc(x[n - 1]);
}

int main(void)
{
    double x[3] = {0.33, 2, 3}, a[3] = {0}, b[3] = {0};
    __enzyme_autodiff((void *)aligned, x, a, 3);
    __enzyme_autodiff((void *)own, x, b, 3);
    int bad = !(fabs(a[0] - 0.66 * 4) < 1e-9 && fabs(a[1] - 16) < 1e-9 && fabs(a[2] - 24) < 1e-9);
    bad |= !(fabs(b[0] - 0.66) < 1e-9 && fabs(b[1] + 4) < 1e-9 && fabs(b[2] - 27) < 1e-9);
    if (bad)
        printf("%g %g %g, %g %g %g\n", a[0], a[1], a[2], b[0], b[1], b[2]);
    return bad;
}
