/* Rows that are read before they are overwritten, the first of them never: copies that begin with a later row, of arrays of fixed and of variable rows. */
#include <math.h>
#include <stdio.h>
#include <string.h>

void __enzyme_autodiff(void *, ...);

static int failed;
static void near(const char *name, double found, double expected)
{
    if (!(fabs(found - expected) <= 1e-11 * (1 + fabs(expected)))) {
        printf("%s is %.15g, not %.15g\n", name, found, expected);
        failed = 1;
    }
}

enum { M = 7, N = 5, L = 3 };

static void fixed(double b[M][N], double a[M][M])
{
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            for (int k = i + 1; k < M; k++)
                b[i][j] += a[k][i] * b[k][j] * b[k][j];
            b[i][j] = sin(b[i][j]);
        }
}

static void variable(int m, int n, double b[m][n], double a[m][m])
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            for (int k = i + 1; k < m; k++)
                b[i][j] += a[k][i] * b[k][j] * b[k][j];
            b[i][j] = sin(b[i][j]);
        }
}

static void deep(int m, int n, int l, double b[m][n][l], double a[m][m])
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            for (int h = 0; h < l; h++) {
                for (int k = i + 1; k < m; k++)
                    b[i][j][h] += a[k][i] * b[k][j][h] * b[k][j][h];
                b[i][j][h] = sin(b[i][j][h]);
            }
}

/* The gradient by hand, of all rows at once: b has `width` numbers in each. */
static void by_hand(int width, const double *start, const double *a, double *bar, double *a_bar)
{
    for (int i = M - 1; i >= 0; i--)
        for (int j = 0; j < width; j++) {
            double sum = start[i * width + j];
            for (int k = i + 1; k < M; k++)
                sum += a[k * M + i] * start[k * width + j] * start[k * width + j];
            bar[i * width + j] *= cos(sum);
        }
    /* Rows are read as they were at the start. */
    double total[M * N * L];
    memcpy(total, bar, sizeof(double) * M * (size_t)width);
    for (int i = 0; i < M; i++)
        for (int j = 0; j < width; j++)
            for (int k = i + 1; k < M; k++) {
                a_bar[k * M + i] += bar[i * width + j] * start[k * width + j] * start[k * width + j];
                total[k * width + j] += bar[i * width + j] * 2 * a[k * M + i] * start[k * width + j];
            }
    memcpy(bar, total, sizeof(double) * M * (size_t)width);
}

int main(void)
{
    for (int form = 0; form < 3; form++) {
        int width = form == 2 ? N * L : N;
        double b[M * N * L], b_bar[M * N * L], a[M * M], a_bar[M * M] = {0}, bar[M * N * L], hand[M * M] = {0}, start[M * N * L];
        for (int i = 0; i < M * width; i++) {
            start[i] = b[i] = cos(i * 0.7);
            bar[i] = b_bar[i] = sin(i + 1.0);
        }
        for (int i = 0; i < M * M; i++)
            a[i] = 0.2 * sin(3.0 * i);
        switch (form) {
        case 0:
            __enzyme_autodiff((void *)fixed, b, b_bar, a, a_bar);
            break;
        case 1:
            __enzyme_autodiff((void *)variable, M, N, b, b_bar, a, a_bar);
            break;
        default:
            __enzyme_autodiff((void *)deep, M, N, L, b, b_bar, a, a_bar);
        }
        by_hand(width, start, a, bar, hand);
        for (int i = 0; i < M * width; i++)
            near("b", b_bar[i], bar[i]);
        for (int i = 0; i < M * M; i++)
            near("a", a_bar[i], hand[i]);
    }
    return failed;
}
