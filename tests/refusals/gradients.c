// Custom gradients that do not fit their functions.
double __enzyme_autodiff(void *, ...);
double f(double x) { return x; }
double f_forward(double x) { return x; }
double f_gradient(double x) { return x; } // error: its gradient 'f_gradient' has 1 parameters, not 2
void *__enzyme_register_gradient_f[] = {(void *)f, (void *)f_forward, (void *)f_gradient};
double g(double x) { return x; }
double g_forward(double x, double y) { return x * y; } // error: its forward function 'g_forward' must have 1 parameters
double g_gradient(double x, double s) { return x * s; }
void *__enzyme_register_gradient_g[] = {(void *)g, (void *)g_forward, (void *)g_gradient};
double h(double x) { return x; }
double h_forward(double x) { return x; }
void h_gradient(double x, double s) { (void)x, (void)s; } // error: must return the adjoints of its 1 numbers by value
void *__enzyme_register_gradient_h[] = {(void *)h, (void *)h_forward, (void *)h_gradient};
double use_f(double x) { return f(x); }
double use_g(double x) { return g(x); }
double use_h(double x) { return h(x); }
int main(void) {
    return __enzyme_autodiff((void *)use_f, 1.0) + __enzyme_autodiff((void *)use_g, 1.0) + __enzyme_autodiff((void *)use_h, 1.0) > 0;
}
