// flags: -fopenmp -lm
// A Jacobi solver with a max reduction for convergence.
#include "../check.h"
#include <math.h>

#define N 24
static double u[N][N], v[N][N];

int main(void)
{
    for (int i = 0; i < N; i++)
        u[i][0] = v[i][0] = 1;
    int it = 0;
    double change;
    do {
        change = 0;
#pragma omp parallel for reduction(max : change)
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++) {
                v[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
                double d = fabs(v[i][j] - u[i][j]);
                if (d > change)
                    change = d;
            }
#pragma omp parallel for
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++)
                u[i][j] = v[i][j];
        it++;
    } while (change > 1e-5 && it < 2000);
    CHECK(it < 2000);
    for (int i = 1; i < N - 1; i++)
        for (int j = 1; j < N - 1; j++)
            CHECK(u[i][j] > 0 && u[i][j] < 1);
    printf("%d %.12g %.12g\n", it, u[12][1], u[5][12]);
    return check_done();
}
