// Functions that cannot be differentiated: the error is where the reason is, with a note where it was asked for.
double __enzyme_autodiff(void *, ...);
double external(double);
double f(double x) { return external(x) * 2; } // error: a call of 'external'
#include <setjmp.h>
jmp_buf buffer;
double g(double x) { return setjmp(buffer) ? x : 2 * x; } // error: cannot differentiate 'g': cannot lower
double assembler(double x) { __asm__ volatile("" : "+x"(x)); return x; } // error: cannot differentiate 'assembler'
int main(void) {
    return __enzyme_autodiff((void *)f, 1.0) + __enzyme_autodiff((void *)g, 1.0) + __enzyme_autodiff((void *)assembler, 1.0) > 1;
}
