/* Weights that all threads read, as numbers of every type: each thread adds to a copy of their adjoints, also where only the run knows the places. */
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

extern int enzyme_const, enzyme_dup;
void __enzyme_autodiff(void *, ...);

enum { M = 40, N = 120 };

#define KERNELS(name, number, real)                                                                                                                                \
    static double name(const number *w, const double *x, const int *index)                                                                                         \
    {                                                                                                                                                              \
        double total = 0;                                                                                                                                          \
        _Pragma("omp parallel for reduction(+ : total)") for (int i = 0; i < N; i++)                                                                               \
        {                                                                                                                                                          \
            number direct = 0, indirect = 0;                                                                                                                       \
            for (int j = 0; j < M; j++) {                                                                                                                          \
                direct += w[j] * (number)x[(i + j) % N];                                                                                                           \
                indirect += w[index[i * M + j]] * (number)x[j];                                                                                                    \
            }                                                                                                                                                      \
            total += (double)real(direct * indirect);                                                                                                              \
        }                                                                                                                                                          \
        return total;                                                                                                                                              \
    }                                                                                                                                                              \
    static int check_##name(const double *x, const int *index)                                                                                                     \
    {                                                                                                                                                              \
        number w[M], bar[M] = {0};                                                                                                                                 \
        for (int j = 0; j < M; j++)                                                                                                                                \
            w[j] = (number)(1 + j % 7) / 8;                                                                                                                        \
        __enzyme_autodiff((void *)name, enzyme_dup, w, bar, enzyme_const, x, enzyme_const, index);                                                                 \
        for (int j = 0; j < M; j++) {                                                                                                                              \
            /* The function is a polynomial of degree two: differences are exact but for rounding. */                                                              \
            number old = w[j];                                                                                                                                     \
            w[j] = old + (number)0.25;                                                                                                                             \
            double above = name(w, x, index);                                                                                                                      \
            w[j] = old - (number)0.25;                                                                                                                             \
            double below = name(w, x, index), want = (above - below) / 0.5;                                                                                        \
            w[j] = old;                                                                                                                                            \
            if (!(fabs((double)real(bar[j]) - want) <= (sizeof(real(bar[j])) == 4 ? 2e-4 : 1e-10) * (1 + fabs(want)))) {                                           \
                printf(#name ": weight %d: %.10g, expected %.10g\n", j, (double)real(bar[j]), want);                                                               \
                return 1;                                                                                                                                          \
            }                                                                                                                                                      \
        }                                                                                                                                                          \
        return 0;                                                                                                                                                  \
    }

#define ITSELF(v) (v)
KERNELS(singles, float, ITSELF)
KERNELS(doubles, double, ITSELF)
KERNELS(long_doubles, long double, ITSELF)
KERNELS(complex_singles, float complex, crealf)
KERNELS(complex_doubles, double complex, creal)
KERNELS(complex_long_doubles, long double complex, creall)

int main(void)
{
    double x[N];
    int *index = malloc(N * M * sizeof *index);
    for (int i = 0; i < N; i++)
        x[i] = (i * 37 % 11 - 5) / 4.0;
    for (int i = 0; i < N * M; i++)
        index[i] = i * 31 % M;
    int wrong = check_singles(x, index) || check_doubles(x, index) || check_long_doubles(x, index) || check_complex_singles(x, index) || check_complex_doubles(x, index)
        || check_complex_long_doubles(x, index);
    free(index);
    return wrong;
}
