/* What threads keep of arrays that they share: of what nobody writes meanwhile each its own part; of what others write beside it, nothing but numbers. */
#include "../../check.h"
/* Rows of a grid, in a region for each step. */
static double rows(double *x, int n)
{
    enum { W = 5 };
    int h = n / W;
    double *now = malloc(sizeof(double) * (size_t)n), *next = malloc(sizeof(double) * (size_t)n), s = 0;
    for (int i = 0; i < n; i++)
        now[i] = next[i] = x[i];
    for (int t = 0; t < 4; t++) {
#pragma omp parallel for
        for (int i = 1; i < h - 1; i++)
            for (int j = 1; j < W - 1; j++)
                next[i * W + j] = now[i * W + j] * (now[(i - 1) * W + j] + now[(i + 1) * W + j] - now[i * W + j - 1]) * 0.4 + now[i * W + j + 1];
        double *other = now;
        now = next;
        next = other;
    }
    for (int i = 0; i < n; i++)
        s += now[i] * next[i];
    free(now);
    free(next);
    return s;
}
/* All steps in one region; the share is of the same size in each. */
static double steps(double *x, int n)
{
    double a[64], b[64], s = 0;
#pragma omp parallel
    {
        double *now = a, *next = b;
#pragma omp for
        for (int i = 0; i < n; i++)
            a[i] = b[i] = x[i];
        for (int t = 0; t < 5; t++) {
#pragma omp for
            for (int i = 1; i < n - 1; i++)
                next[i] = now[i] * now[i - 1] - 0.2 * now[i + 1] * now[i + 1];
            double *other = now;
            now = next;
            next = other;
        }
#pragma omp for reduction(+ : s)
        for (int i = 0; i < n; i++)
            s += now[i] * now[i];
    }
    return s;
}
/* Red and black: others write between the places that a thread reads. */
static double in_place(double *x, int n)
{
    double u[64], s = 0;
    memcpy(u, x, sizeof(double) * (size_t)n);
#pragma omp parallel
    for (int t = 0; t < 3; t++)
        for (int colour = 0; colour < 2; colour++) {
#pragma omp for
            for (int i = 1 + colour; i < n - 1; i += 2)
                u[i] = 0.5 * u[i] * (u[i - 1] + u[i + 1]);
        }
    for (int i = 0; i < n; i++)
        s += u[i] * (i + 1);
    return s;
}
/* Two halves of one array that change places: what one step reads the next overwrites. */
static double halves(double *x, int n)
{
    double u[128], s = 0;
    memcpy(u, x, sizeof(double) * (size_t)n);
#pragma omp parallel
    for (int t = 0; t < 4; t++) {
        int from = t % 2 * n, to = n - from;
#pragma omp for
        for (int i = 0; i < n; i++)
            u[to + i] = u[from + i] * u[from + (i + 1) % n];
    }
    for (int i = 0; i < n; i++)
        s += u[i];
    return s;
}
/* A chain of sparse products: rows of one array, each read by what follows. Indices that leave their row are right as well. */
static double chain(double *x, int n)
{
    double u[4 * 64 + 64], s = 0;
    int column[128];
    for (int wide = 0; wide < 2; wide++) {
        for (int k = 0; k < 2 * n; k++)
            column[k] = (k * 7 + 3) % n;
        if (wide)
            column[5] = n + 2;
        for (int i = 0; i < 5 * n; i++)
            u[i] = x[i % n];
        for (int c = 0; c < 3; c++) {
            const double *from = u + c * n;
            double *to = u + (c + 1) * n;
#pragma omp parallel for
            for (int i = 0; i < n; i++) {
                double row = 0;
                for (int k = 2 * i; k < 2 * i + 2; k++)
                    row += x[k % n] * from[wide && column[k] >= n && c < 2 ? column[k] + n : column[k] % n];
                to[i] = row / (1 + row * row);
            }
        }
        for (int i = 0; i < n; i++)
            s += u[3 * n + i] * (i + 1);
    }
    return s;
}
GRADIENT(rows)
GRADIENT(steps)
GRADIENT(in_place)
GRADIENT(halves)
GRADIENT(chain)
int main(void)
{
    return CHECK(rows, 60) | CHECK(rows, 15) | CHECK(steps, 50) | CHECK(steps, 3) | CHECK(in_place, 40) | CHECK(halves, 30) | CHECK(chain, 20);
}
