// run: ir %s
double power(double x, int n);
void log_it(const char *format, ...);

double f(double x)
{
    log_it();
    return power(x) + power(x, 2, 3);
}
