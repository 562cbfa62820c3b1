extern int enzyme_dup;
double __enzyme_autodiff(void *, ...);
static double f(double *x)
{
    double y = x[0];
#pragma adjoin checkpoint // error: '#pragma adjoin checkpoint' must be followed by a loop
    y *= x[1];
    return y;
}
int main(void)
{
    double x[2] = {1, 2}, bar[2] = {0};
    __enzyme_autodiff((void *)f, enzyme_dup, x, bar);
    return 0;
}
