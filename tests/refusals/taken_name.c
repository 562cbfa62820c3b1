/* A function of the program that has a name of generated code: derivatives would take it for their own. */
double __enzyme_autodiff(void *, ...);

double adjoin_part(double x) // error: a program that defines 'adjoin_part': names that begin with 'adjoin_' belong to generated code
{
    return x * x;
}

static double f(double x)
{
    return adjoin_part(x) + x;
}

int main(void)
{
    return __enzyme_autodiff((void *)f, 2.0) != 5.0;
}
