// A function that overwrites what it reads cannot be run once for each seed.
extern int enzyme_width, enzyme_dup;
void __enzyme_autodiff(void *, ...);

static void square(double *x)
{
    x[0] = x[0] * x[0]; // error: in reverse mode with several seeds: 'x' is written here
}

void both(double *x, double *a, double *b)
{
    __enzyme_autodiff((void *)square, enzyme_width, 2, enzyme_dup, x, a, b);
}
