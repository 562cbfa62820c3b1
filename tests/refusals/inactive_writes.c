// An inactive function that writes active memory: how much of the shadow to clear is not known.
void __enzyme_autodiff(void *, ...);

static void fill(double *p)
{
    p[0] = 3.0;
}
void *__enzyme_inactivefn_fill[] = {(void *)fill};

static double f(double *x)
{
    double y[2];
    y[0] = x[0];
    fill(y); // error: it is said to be inactive, and writes numbers to active memory
    return y[0] * x[0];
}

int main(void)
{
    double x = 1, bar = 0;
    __enzyme_autodiff((void *)f, &x, &bar);
    return 0;
}
