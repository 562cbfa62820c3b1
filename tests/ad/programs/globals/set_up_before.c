/* Heap memory behind globals, rows and a struct, set up before the call: read, and used as scratch. */
#include "check.h"

double *A;
double **rows;
struct Grid {
    int n;
    double h;
    double *u, *unew;
} * grid;
int N;
void init(int n)
{
    N = n;
    A = malloc(n * n * sizeof *A);
    for (int i = 0; i < n * n; i++)
        A[i] = 1.0 / (i + 1);
    rows = malloc(n * sizeof *rows);
    for (int i = 0; i < n; i++) {
        rows[i] = malloc(n * sizeof(double));
        for (int j = 0; j < n; j++)
            rows[i][j] = i == j ? 2 : 0.1 * (i - j);
    }
    grid = malloc(sizeof *grid);
    grid->n = n;
    grid->h = 1.0 / n;
    grid->u = calloc(n, sizeof(double));
    grid->unew = calloc(n, sizeof(double));
}
void done(void)
{
    free(A);
    for (int i = 0; i < N; i++)
        free(rows[i]);
    free(rows);
    free(grid->u);
    free(grid->unew);
    free(grid);
}
double f(const double *x, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++) {
        double t = 0;
        for (int j = 0; j < n; j++)
            t += A[i * n + j] * x[j] + rows[i][j] * x[j] * x[j];
        s += t * t;
    }
    for (int i = 0; i < n; i++)
        grid->u[i] = x[i] * grid->h;
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < n; i++)
            grid->unew[i] = grid->u[i] + 0.2 * grid->u[(i + 1) % n] * grid->u[i];
        double *t = grid->u;
        grid->u = grid->unew;
        grid->unew = t;
    }
    for (int i = 0; i < n; i++)
        s += grid->u[i] * i;
    return s;
}
int main(void)
{
    for (int n = 2; n < 9; n += 3) {
        init(n);
        CHECK(f, n);
        done();
    }
    return failures != 0;
}
