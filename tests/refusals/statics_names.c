// Static locals whose names are used twice.
double __enzyme_autodiff(void *, ...);
double f(double x) {
    { static double k = 2; x *= k; } // error: another variable of the function has its name
    { double k = 3; x *= k; }
    return x;
}
int main(void) { return __enzyme_autodiff((void *)f, 1.0) != 6; }
