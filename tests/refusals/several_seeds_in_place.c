// A function that calls itself is run once for each seed; it cannot be if it does something else the second time.
extern int enzyme_width, enzyme_dup, enzyme_const;
void __enzyme_autodiff(void *, ...);
int rand(void);

static double square(double *x, int n)
{
    if (n == 0)
        return x[0];
    x[0] = x[0] * x[0];
    return square(x, n - rand() % 2) * x[0]; // error: in reverse mode with several seeds: this call may do something else
}

double both(double *x, double *a, double *b)
{
    __enzyme_autodiff((void *)square, enzyme_width, 2, enzyme_dup, x, a, b, enzyme_const, 3);
    return x[0];
}
