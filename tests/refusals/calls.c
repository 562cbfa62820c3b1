// Malformed calls of entry points: each error names what was expected, at the argument that is to blame.
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
double __enzyme_batch(void *, ...);
double __enzyme_error_estimate(void *, ...);
void *__enzyme_truncate_mem_func(void *, ...);
double __enzyme_truncate_op_func(void *, ...);
double __enzyme_nonsense(void *, ...);
int *__enzyme_autodiff_pointer(void *, ...);
struct one { double a; };
struct one __enzyme_autodiff_one(void *, ...);
void __enzyme_reverse(void *, ...);
void __enzyme_augmentfwd(void *, ...);
extern int enzyme_dup, enzyme_const, enzyme_out, enzyme_width, enzyme_dupx, enzyme_dupv, enzyme_tape, enzyme_nofree;

double f(double x, double *y, int n) { return x * y[n]; }
double g(double a, double b) { return a * b; }
double unknown(double x);
double variable(int n, ...) { return n; }

int main(void) {
    double x = 1, y[2] = {1, 2}, dy[2] = {0};
    void *t = 0;
    int n = 1;
    __enzyme_autodiff((void *)f, x, y, dy);                        // error: too few arguments: parameter 3 of 'f', 'int n' is missing, expected its value
    __enzyme_autodiff((void *)f, x);                               // error: parameter 2 of 'f', 'double *y' is missing, expected its value and its shadow
    __enzyme_autodiff((void *)f, x, enzyme_dup, y, enzyme_const, n); // error: expected the shadow of parameter 2 of 'f', 'double *y' here
    __enzyme_autodiff((void *)f, x, y, dy, n, 1.0);                // error: too many arguments: 'f' has 3 parameters
    __enzyme_autodiff((void *)g, enzyme_dupx, x, x, x);            // error: unknown marker 'enzyme_dupx'
    __enzyme_autodiff((void *)g, x, x);                            // error: the declared result 'double' cannot hold what is returned: double, double
    __enzyme_autodiff_pointer((void *)g, x, enzyme_const, x);      // error: the declared result 'int *' has 'int *' where 'double' is returned
    __enzyme_autodiff_one((void *)g, x, x);                        // error: the declared result 'struct one' cannot hold
    __enzyme_autodiff((void *)f, enzyme_dup, x, x, y, dy, n);      // error: in reverse mode a number by value is 'enzyme_out' or 'enzyme_const'
    __enzyme_autodiff((void *)f, x, enzyme_out, y, n);             // error: only numbers and structs of numbers by value
    __enzyme_fwddiff((void *)g, enzyme_out, x, x, x);              // error: in forward mode it is 'enzyme_dup', followed by its tangent
    __enzyme_fwddiff((void *)g, enzyme_width, n, x, x, x, x);      // error: 'enzyme_width' must be followed by a constant
    __enzyme_fwddiff((void *)g, enzyme_width, 2, x, x, x, x, x);   // error: shadow 2 of 2 of parameter 2
    __enzyme_fwddiff((void *)g, enzyme_width, 2, enzyme_dupv, 8, x, &x, x, x, x); // error: it is not a pointer
    __enzyme_autodiff((void *)unknown, x);                         // error: cannot differentiate 'unknown': its body is not known
    __enzyme_autodiff((void *)variable, 1);                        // error: it has variable arguments
    __enzyme_autodiff(t, x);                                       // error: must name the function to differentiate
    __enzyme_autodiff((void *)g, y, enzyme_const, x);              // error: 'double' is expected here, not 'double *'
    __enzyme_batch((void *)g, enzyme_dup, x, x);                   // error: 'enzyme_dup' has no meaning in a batch
    __enzyme_error_estimate((void *)g, x);                         // error: expected the shadow of parameter 1 of 'g', 'double a' here
    __enzyme_truncate_mem_func((void *)g, 64, 16);                 // error: '__enzyme_truncate_mem_func' needs the constants 64 and 32
    __enzyme_truncate_mem_func((void *)unknown, 64, 32);           // error: cannot evaluate 'unknown': its body is not known
    __enzyme_truncate_op_func((void *)g, 64, 32);                  // error: '__enzyme_truncate_op_func' must be declared to return a pointer to a function
    __enzyme_nonsense((void *)g, x, x);                            // error: '__enzyme_nonsense' is not an entry point that Adjoin knows
    __enzyme_reverse((void *)g, x, x, 1.0);                        // error: the tape
    __enzyme_reverse((void *)g, x, x, 1.0, t, enzyme_nofree);      // error: 'enzyme_nofree' for a reverse sweep
    __enzyme_augmentfwd((void *)g, enzyme_tape, t, x, x);          // error: needs 'enzyme_allocated'
    double (*p)(void *, ...) = __enzyme_autodiff;                  // error: '__enzyme_autodiff' can only be called
    return p != 0;
}
