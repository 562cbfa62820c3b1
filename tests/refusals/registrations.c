// Registrations that say nothing that can be understood.
double __enzyme_autodiff(void *, ...);
double f(double x) { return x; }
double g(double x, double y) { return x * y; }
double forward(double x) { return x; }
double gradient(double x) { return x; }
void *__enzyme_register_gradient_f[] = {(void *)f, (void *)forward}; // error: must hold a function, its augmented forward function and its gradient
void *__enzyme_register_derivative_f[] = {(void *)f};                // error: must hold a function and its derivative
void *__enzyme_function_like_f[] = {(void *)f};                      // error: must hold a function and the name of a known one
#pragma adjoin derivative(missing) forward(f) // error: there is no function 'missing'
#pragma adjoin derivative(f) sideways(f)      // error: expected `derivative(f) forward(df)`
#pragma adjoin inactive(nothing)              // error: there is no function or global 'nothing'
struct pair { double a, b; };
double q(struct pair x __attribute__((enzyme_inactive))) { return x.a; } // error: supported for functions, globals, and parameters
int main(void) { return __enzyme_autodiff((void *)f, 1.0) != 1; }
