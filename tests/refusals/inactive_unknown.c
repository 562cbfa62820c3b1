// An inactive function without a body that could write active memory.
void __enzyme_autodiff(void *, ...);

void fill(double *p);
double look(const double *p);
void *__enzyme_inactivefn_fill[] = {(void *)fill};
void *__enzyme_inactivefn_look[] = {(void *)look};

static double f(double *x)
{
    double y[2];
    y[0] = x[0] * look(x);
    fill(y); // error: its body is not known, and it may write to active memory
    return y[0] * x[0];
}

int main(void)
{
    double x = 1, bar = 0;
    __enzyme_autodiff((void *)f, &x, &bar);
    return 0;
}
