// Active numbers that leave as text or bytes and come back without their derivatives.
#include <stdio.h>
#include <stdlib.h>
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
int enzyme_dup;
double text(double x) {
    char line[64];
    snprintf(line, sizeof line, "%.17g", x * x);
    return strtod(line, NULL) * x; // error: a call of 'strtod'
}
double stream(const double *x) {
    double a[2] = {x[0] * x[1], x[1]}, b[2] = {0, 0};
    FILE *f = tmpfile();
    fwrite(a, sizeof *a, 2, f);
    rewind(f);
    if (fread(b, sizeof *b, 2, f) != 2) return 0; // error: a call of 'fread'
    fclose(f);
    return b[0] * b[1];
}
double file(const double *x) {
    double a[2] = {x[0] * x[1], x[1]}, b[2] = {0, 0};
    FILE *f = fopen("numbers.bin", "wb");
    fwrite(a, sizeof *a, 2, f);
    fclose(f);
    FILE *again = fopen("numbers.bin", "rb");
    if (fread(b, sizeof *b, 2, again) != 2) return 0; // error: a call of 'fread'
    fclose(again);
    return b[0] * b[1];
}
int main(void) {
    double x[2] = {1, 2}, g[2] = {0};
    return __enzyme_autodiff((void *)text, 1.0) + __enzyme_autodiff((void *)stream, enzyme_dup, x, g)
        + __enzyme_autodiff((void *)file, enzyme_dup, x, g) > 1;
}
