// run: ir %s
double f(double x)
{
    double *p = malloc(10 * sizeof *p);
    printf("%g\n", x);
    return sqrt(x) + M_PI + (p == NULL);
}
