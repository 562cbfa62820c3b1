// Static locals that cannot move to file scope.
double __enzyme_autodiff(void *, ...);
double f(double x) {
    struct point { double x, y; };
    static struct point p; // error: its static local 'p' cannot be moved to file scope: its type is declared inside of the function
    p.x += x;
    return p.x;
}
int main(void) { return __enzyme_autodiff((void *)f, 1.0) != 1; }
