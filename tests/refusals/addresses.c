// An entry point is nothing that a pointer can lead to.
extern double __enzyme_autodiff(void *, ...);
double square(double x) { return x * x; }
double (*gradient)(void *, ...) = __enzyme_autodiff; // error: '__enzyme_autodiff' can only be called: its address means nothing
double asked(double x) { return gradient((void *)square, x); }
