// A function that is said to behave as one that nobody knows.
double __enzyme_autodiff(void *, ...);
double k(double x) { return x; } // error: 'k' like 'frobnicate': no such function is known
#pragma adjoin like(k, frobnicate)
double f(double x) { return k(x); }
int main(void) { return __enzyme_autodiff((void *)f, 1.0) != 1; }
