/* LU factorisation in blocks of fixed size. Loops inside a block read a few numbers of a large matrix, however large it is: what the gradient keeps must not be the matrix each time. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int enzyme_const;
extern int enzyme_dup;
void __enzyme_autodiff(void *, ...);

enum { BLOCK = 8 };

static void diagonal(double *a, int size, int at)
{
    for (int i = 0; i < BLOCK; i++) {
        for (int j = i; j < BLOCK; j++)
            for (int k = 0; k < i; k++)
                a[(at + i) * size + at + j] -= a[(at + i) * size + at + k] * a[(at + k) * size + at + j];
        double pivot = 1 / a[(at + i) * size + at + i];
        for (int j = i + 1; j < BLOCK; j++) {
            for (int k = 0; k < i; k++)
                a[(at + j) * size + at + i] -= a[(at + j) * size + at + k] * a[(at + k) * size + at + i];
            a[(at + j) * size + at + i] *= pivot;
        }
    }
}

static void borders(double *a, int size, int at, int to)
{
    for (int j = to; j < to + BLOCK; j++)
        for (int i = at; i < at + BLOCK; i++)
            for (int k = at; k < i; k++)
                a[i * size + j] -= a[i * size + k] * a[k * size + j];
    for (int i = to; i < to + BLOCK; i++)
        for (int j = at; j < at + BLOCK; j++) {
            for (int k = at; k < j; k++)
                a[i * size + j] -= a[i * size + k] * a[k * size + j];
            a[i * size + j] /= a[j * size + j];
        }
}

static double log_determinant(const double *matrix, int size)
{
    double *a = malloc(sizeof(double) * size * size), sum = 0;
    memcpy(a, matrix, sizeof(double) * size * size);
    for (int at = 0; at < size; at += BLOCK) {
        diagonal(a, size, at);
        for (int to = at + BLOCK; to < size; to += BLOCK)
            borders(a, size, at, to);
        for (int i = at + BLOCK; i < size; i++)
            for (int j = at + BLOCK; j < size; j++)
                for (int k = at; k < at + BLOCK; k++)
                    a[i * size + j] -= a[i * size + k] * a[k * size + j];
    }
    for (int i = 0; i < size; i++)
        sum += log(a[i * size + i]);
    free(a);
    return sum;
}

/* The most memory that was ever resident, in KiB. */
static long peak(void)
{
    char line[256];
    long most = 0;
    FILE *status = fopen("/proc/self/status", "r");
    while (status && fgets(line, sizeof line, status))
        if (sscanf(line, "VmHWM: %ld", &most) == 1)
            break;
    if (status)
        fclose(status);
    return most;
}

static int check(int size)
{
    double *a = malloc(sizeof(double) * size * size), *bar = calloc((size_t)size * size, sizeof(double));
    for (int i = 0; i < size * size; i++)
        a[i] = sin(i * 0.7) + (i / size == i % size ? size : 0);
    long before = peak();
    __enzyme_autodiff((void *)log_determinant, enzyme_dup, a, bar, size);
    /* The gradient is the inverse of the transposed matrix: their product is the unit matrix. */
    for (int i = 0; i < size; i += 5)
        for (int j = 0; j < size; j++) {
            double sum = 0;
            for (int k = 0; k < size; k++)
                sum += a[i * size + k] * bar[j * size + k];
            if (!(fabs(sum - (i == j)) < 1e-10)) {
                printf("size %d, entry %d %d: %.12g\n", size, i, j, sum);
                return 1;
            }
        }
    if (peak() - before > 60000) {
        printf("size %d: %ld KiB\n", size, peak() - before);
        return 1;
    }
    free(a);
    free(bar);
    return 0;
}

int main(void)
{
    return check(8) || check(40) || check(240);
}
