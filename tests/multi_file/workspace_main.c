#include <math.h>
#include <stdio.h>
extern double __enzyme_autodiff(void *, ...);
extern int enzyme_dup, enzyme_const;
int enzyme_dup, enzyme_const;
double *buffer;
void allocate_buffer(int n);
double squares(const double *x, int n);
static double objective(const double *x, int n)
{
    for (int i = 0; i < n; i++)
        buffer[i] = sin(x[i]);
    return squares(buffer, n) + squares(x, n);
}
int main(void)
{
    double x[6] = {0.3, 1.2, -0.7, 2.0, 0.9, -1.1};
    int bad = 0;
    allocate_buffer(6);
    for (int n = 2; n <= 6; n += 2)
        for (int again = 0; again < 2; again++) {
            double bar[6] = {0};
            __enzyme_autodiff((void *)objective, enzyme_dup, x, bar, enzyme_const, n);
            for (int i = 0; i < n; i++) {
                double h = 1e-6, at = x[i];
                x[i] = at + h;
                double up = objective(x, n);
                x[i] = at - h;
                double down = objective(x, n);
                x[i] = at;
                bad += fabs((up - down) / (2 * h) - bar[i]) > 1e-6 * (1 + fabs(bar[i]));
            }
        }
    printf("%d wrong\n", bad);
    return bad != 0;
}
