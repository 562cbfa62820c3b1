// A function that asks for its own derivative.
double __enzyme_autodiff(void *, ...);
double f(double x) { return x > 1 ? __enzyme_autodiff((void *)f, x - 1) : x; } // error: its derivative is asked for inside of it
int main(void) { return __enzyme_autodiff((void *)f, 1.0) != 1; }
